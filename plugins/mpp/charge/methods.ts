/** The methods that can be sold. */
import type { MppMethod } from '../variables.ts'
import { evmCharge } from './evm.ts'
import type { ChargeMethod } from './method.ts'
import { tempoCharge } from './tempo.ts'

const ALL: readonly ChargeMethod[] = [evmCharge, tempoCharge]

/** Those of these names, in their order. */
export function methodsOf(names: readonly MppMethod[]): ChargeMethod[] {
  return names.flatMap((name) => ALL.filter((method) => method.name === name))
}
