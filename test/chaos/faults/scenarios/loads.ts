/** Money that moves in other ways than prepaid calls, while gateways are killed or the database is frozen. */
import { missingForSolana } from '../../../support/x402/solana-node.ts'
import { whileKilled } from '../killed-gateways.ts'
import { customers } from '../loads/customers.ts'
import { evm } from '../loads/evm.ts'
import { gas } from '../loads/gas.ts'
import type { LoadUnder } from '../loads/load.ts'
import { solana } from '../loads/solana.ts'
import { tempo } from '../loads/tempo.ts'
import { frozenUnder } from './frozen.ts'
import { onAny, type Scenario } from './ground.ts'
import { anvil } from './needs.ts'

const nothing = (): null => null

/** The callers of a load while `gateways` of them are killed, one after the other. */
const killedUnder = (
  load: LoadUnder,
  gateways: number,
  missing: Scenario['missing'],
): Scenario => ({
  missing,
  isOverAny: true,
  run: (ground) =>
    load(ground, (made) =>
      whileKilled((fault) => onAny(ground, { ...fault, gateways }), ground, made),
    ),
})

export const LOADS: Record<string, Scenario> = {
  channels: killedUnder(evm('channels'), 2, anvil),
  'channels-of-one': killedUnder(evm('channels'), 1, anvil),
  'channels-of-three': killedUnder(evm('channels'), 3, anvil),
  'channels-frozen': frozenUnder(evm('channels'), anvil),
  gas: killedUnder(gas, 2, anvil),
  'gas-of-one': killedUnder(gas, 1, anvil),
  'gas-of-three': killedUnder(gas, 3, anvil),
  'gas-frozen': frozenUnder(gas, anvil),
  upfront: killedUnder(evm('upfront'), 2, anvil),
  permit2: killedUnder(evm('permit2'), 2, anvil),
  purchases: killedUnder(evm('purchases'), 3, anvil),
  solana: killedUnder(solana, 2, missingForSolana),
  tempo: killedUnder(tempo, 3, anvil),
  'customers-of-one': killedUnder(customers, 1, nothing),
  'customers-of-three': killedUnder(customers, 3, nothing),
  'customers-frozen': frozenUnder(customers, nothing),
}
