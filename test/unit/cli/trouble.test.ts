/** What a person is told of an error that ends a command. */
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { fixOf, messageOf } from '../../../cli/trouble.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

const FULL = Object.assign(new Error('could not extend file'), { code: '53100' })

it.each([
  [FULL, 'could not extend file'],
  [
    new DrizzleQueryError('CREATE …', [], FULL),
    'The database refused a query: could not extend file',
  ],
  [new Error('The part x does not start', { cause: FULL }), 'The part x does not start'],
])('a disk of the database that is full is to be given room', (error, message) => {
  expect(fixOf(error)).toBe('Free some space on the disk of the database.')
  expect(messageOf(error)).toBe(message)
})

it('an error of the storage says itself what to do, any other nothing', () => {
  expect(fixOf(new StorageError('It is gone.', 'Look for it.'))).toBe('Look for it.')
  expect(fixOf(new Error('no'))).toBeNull()
  expect(fixOf('no')).toBeNull()
})
