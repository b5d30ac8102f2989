import { expect, it } from 'vitest'
import { Reconciler } from '../../../host/product-revisions/reconciler.ts'
import type { Scan } from '../../../kernel/products/reader.ts'
import { silentLog } from '../../support/log.ts'

const EMPTY: Scan = { documents: new Map(), broken: [], isUnsettled: false, isGone: () => false }

/** A reconciler over an empty folder and an empty database; `scans` and `published` are counted. */
async function startedOne() {
  const counts = { scans: 0, published: 0 }
  const rows = { read: async (): Promise<[]> => [] }
  const reconciler = new Reconciler({
    store: { rows: () => rows.read(), changedWithin: () => rows.read() } as never,
    changes: {} as never,
    files: {
      scan: async () => {
        counts.scans += 1
        return EMPTY
      },
      watch: () => {},
      close: () => {},
    },
    live: {
      snapshot: { rails: [] },
      onChange: () => () => {},
      publish: async () => void (counts.published += 1),
      publishRails: async () => {},
    } as never,
    retries: { hasAny: () => false, problems: () => [], hasten: () => {} } as never,
    awaitsRail: () => false,
    origin: 'here',
    log: silentLog,
    pollMs: 1,
  })
  await reconciler.start()
  return { reconciler, counts, rows }
}

it('a look at the files that is asked for while another one ends is made', async () => {
  const { reconciler, counts } = await startedOne()
  for (let turns = 0; turns < 30; turns += 1) {
    const first = reconciler.syncFiles()
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    const before = counts.scans
    await reconciler.syncFiles()
    expect(counts.scans, `after ${turns} microtasks`).toBe(before + 1)
    await first
  }
  await reconciler.stop()
})

it('a look at the database that outlasts the stop publishes nothing', async () => {
  const { reconciler, counts, rows } = await startedOne()
  const looks = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  rows.read = async () => {
    looks.resolve()
    await goesOn.promise
    return []
  }
  await looks.promise
  await reconciler.stop()
  const before = counts.published
  goesOn.resolve()
  await Bun.sleep(0)
  expect(counts.published).toBe(before)
})

it('a look at the database that fails is followed by others', async () => {
  const { reconciler, rows } = await startedOne()
  const again = Promise.withResolvers<void>()
  let looks = 0
  rows.read = async () => {
    looks += 1
    if (looks === 1) throw new Error('the database is away')
    again.resolve()
    return []
  }
  await again.promise
  await reconciler.stop()
})
