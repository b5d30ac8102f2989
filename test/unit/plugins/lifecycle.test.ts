/** What an operator is told of a plugin that could not start. */
import { expect, it } from 'vitest'
import { makeReady, type LifecycleDeps, type Started } from '../../../kernel/plugins/lifecycle.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

it('a database of a newer version is named with what to do about it', async () => {
  const plugin = { id: 'ahead', migrations: [{ id: 'first', up: 'select 1' }] }
  const deps = {
    migrate: async () => {
      throw new StorageError('The database has 2 migrations.', 'Start the newer version.')
    },
  } as unknown as LifecycleDeps
  const started = { plugin, instance: {} } as unknown as Started
  expect(await makeReady(started, deps)).toEqual({
    ok: false,
    stage: 'migrations',
    message:
      'plugin ahead failed in migrations: The database has 2 migrations. Start the newer version.',
  })
})
