/** A rail that is stopped while it starts, as when a reload takes too long. */
import { expect, it } from 'vitest'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { createSettlements } from '../../../../host/plugin-services/settlements.ts'
import { pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { X402Rail } from '../../../../plugins/x402/rail.ts'
import { silentLog } from '../../../support/log.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { ownAccount } from '../../../support/accounts.ts'
import { entryOf } from '../../../support/x402/rail.ts'

const ground = x402Ground()

it('ends what its start makes after the stop', async () => {
  const { chain, database } = ground
  const node = Promise.withResolvers<null>()
  let listeners = 0
  const rail = new X402Rail({
    db: pluginDb(database.db, 'x402'),
    records: createSettlements(createLedger(database.db), async (keyId) => ownAccount(keyId)),
    signals: {
      notify: async () => {},
      async listen() {
        listeners++
        return async () => void listeners--
      },
    },
    log: silentLog,
    entries: [
      entryOf({
        network: 'eip155:8453',
        asset: null,
        payTo: chain.receivingAddress,
        facilitators: [],
        rpcUrl: chain.rpcUrl,
        signerKey: chain.signerKey,
      }),
    ],
    sandboxChain: () => node.promise,
  })
  const starting = rail.start()
  const stopping = rail.stop()
  node.resolve(null)
  await starting
  expect(listeners).toBe(1)
  await stopping
  expect(listeners).toBe(0)
})
