/** A rail whose start takes long: it is stopped meanwhile, or its sandbox chain comes later. */
import { expect, it, vi } from 'vitest'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { createSettlements } from '../../../../host/plugin-services/settlements.ts'
import { pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { X402Rail } from '../../../../plugins/x402/rail.ts'
import type { X402Options } from '../../../../plugins/x402/rail-parts.ts'
import type { SandboxChain } from '../../../../plugins/x402/sandbox/sandbox.ts'
import { silentLog } from '../../../support/log.ts'
import { PATIENT } from '../../../support/patience.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { ownAccount } from '../../../support/accounts.ts'
import { entryOf } from '../../../support/x402/rail.ts'

const ground = x402Ground()

/** A rail of the sandbox's own chain, and how many of its listeners are there. */
function railOn(options: Pick<X402Options, 'sandboxChain' | 'timing'>) {
  const { database } = ground
  const listeners = { count: 0 }
  const rail = new X402Rail({
    db: pluginDb(database.db, 'x402'),
    records: createSettlements(createLedger(database.db), async (keyId) => ownAccount(keyId)),
    signals: {
      notify: async () => {},
      async listen() {
        listeners.count++
        return async () => void listeners.count--
      },
    },
    log: silentLog,
    entries: [
      entryOf({
        network: 'eip155:8453',
        asset: null,
        payTo: null,
        facilitators: [],
        rpcUrl: null,
        signerKey: null,
      }),
    ],
    ...options,
  })
  return { rail, listeners }
}

it('ends what its start makes after the stop', async () => {
  const node = Promise.withResolvers<SandboxChain>()
  const { rail, listeners } = railOn({ sandboxChain: () => node.promise })
  const starting = rail.start()
  const stopping = rail.stop()
  node.resolve(ground.chain)
  await starting
  expect(listeners.count).toBe(1)
  await stopping
  expect(listeners.count).toBe(0)
})

it('opens when its sandbox chain runs, also after the start, and not after a stop', async () => {
  for (const isStopped of [false, true]) {
    const node = Promise.withResolvers<SandboxChain>()
    const timing = { sandboxWaitMs: 0 }
    const { rail, listeners } = railOn({ sandboxChain: () => node.promise, timing })
    await rail.start()
    expect(rail.available()).toEqual({ ok: false, reason: 'the sandbox chain is still starting' })
    expect(await rail.health()[0]!.probe(new AbortController().signal)).toMatchObject({
      state: 'down',
    })
    if (isStopped) await rail.stop()
    node.resolve(ground.chain)
    if (!isStopped) await vi.waitFor(() => expect(rail.available().ok).toBe(true), PATIENT)
    await rail.stop()
    expect(listeners.count).toBe(0)
    expect(rail.core === null).toBe(isStopped)
  }
})
