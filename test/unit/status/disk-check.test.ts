import { expect, it } from 'vitest'
import { diskCheck } from '../../../host/status/disk-check.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'

const MIB = 1_048_576
const sql = (async () => [{ folder: '/data/postgres' }]) as unknown as SqlClient

/** What the check says of a disk with so much room. */
async function saidOf(freeBytes: number, freeFiles: number, files = 100_000) {
  const space = { bavail: freeBytes / 4096, bsize: 4096, files, ffree: freeFiles }
  const asked: string[] = []
  const check = diskCheck(sql, async (folder) => (asked.push(folder), space))
  const said = await check.probe(new AbortController().signal)
  expect(asked).toEqual(['/data/postgres'])
  return said
}

it('a disk is told before it is full, by its bytes or its files', async () => {
  expect(await saidOf(256 * MIB, 1000)).toEqual({ state: 'ok' })
  expect(await saidOf(255.5 * MIB, 1000)).toMatchObject({
    state: 'degraded',
    detail: expect.stringContaining('255 MiB left'),
  })
  expect(await saidOf(15 * MIB, 1000)).toMatchObject({ state: 'down' })
  expect(await saidOf(999 * MIB, 999)).toMatchObject({
    state: 'degraded',
    detail: expect.stringContaining('999 files left'),
  })
  expect(await saidOf(999 * MIB, 0)).toMatchObject({ state: 'down' })
  expect(await saidOf(999 * MIB, 0, 0)).toEqual({ state: 'ok' })
})
