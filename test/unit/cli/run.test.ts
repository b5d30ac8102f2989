/** What the command line says of an error that a command throws. */
import { DrizzleQueryError } from 'drizzle-orm'
import { afterEach, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../cli/run.ts'
import type { Machinery } from '../../../kernel/compose/machinery.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  ['its message', new Error('no room'), 1, 'coinop: no room'],
  [
    'with what can be done about it',
    new StorageError('The server is old.', 'Use a newer one.'),
    69,
    'coinop: The server is old.\n  Use a newer one.',
  ],
  [
    'with whom a file belongs to that it may not read',
    Object.assign(new Error("EACCES: permission denied, open '/data/master-key'"), {
      code: 'EACCES',
      path: '/data/master-key',
    }),
    69,
    "coinop: EACCES: permission denied, open '/data/master-key'\n  Run Coinop as the user whom it belongs to, or give it to the user who runs Coinop (chown).",
  ],
  [
    'and not the text and the values of a query that failed',
    new DrizzleQueryError('select $1', ['a secret'], new Error('too many clients already')),
    1,
    'coinop: The database refused a query: too many clients already',
  ],
])('%s', async (_, error, exitCode, told) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const code = await runCommandLine(['start'], {
    env: {},
    machinery: {} as Machinery,
    shippedProducts: { folder: '', starter: [] },
    loadPlugins: () => Promise.reject(error),
  })
  expect([code, written.mock.calls]).toEqual([exitCode, [[`${told}\n`]]])
})
