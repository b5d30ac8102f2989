import { expect, test } from 'vitest'
import { createClient, parseAddress } from '../../../host/database/client.ts'
import { socketUrl, withDatabase } from '../../../host/embedded-postgres/connection-text.ts'

test.each([
  ['postgresql://u:p@db.example:6432/shop', { url: 'postgresql://u:p@db.example:6432/shop' }],
  [
    'postgresql://u@localhost/shop?host=%2Frun%2Fpg',
    { url: 'postgresql://u@localhost/shop', path: '/run/pg/.s.PGSQL.5432' },
  ],
  [
    'postgres://u@%2Frun%2Fpg:5433/shop',
    { url: 'postgres://u@localhost:5433/shop', path: '/run/pg/.s.PGSQL.5433' },
  ],
  [
    'postgresql://u@h/shop?sslmode=require&channel_binding=require&pgbouncer=true',
    { url: 'postgresql://u@h/shop?sslmode=require' },
  ],
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
})

test.each(['', 'localhost', 'mysql://u:topsecret@h/d', 'postgresql://u:top secret@:x/d'])(
  'refuses %j without repeating it',
  (text) => {
    expect(() => parseAddress(text)).toThrow(
      expect.objectContaining({
        name: 'StorageError',
        message: expect.not.stringContaining('secret'),
        fix: expect.stringContaining('postgresql://'),
      }),
    )
  },
)

test('socket texts round-trip, also with another database', () => {
  const text = withDatabase(socketUrl('/tmp/a b/run', 'coinop', 'postgres'), 'shop')
  expect(parseAddress(text).path).toBe('/tmp/a b/run/.s.PGSQL.5432')
  expect(new URL(text).pathname).toBe('/shop')
})

test('a client takes the password of its text literally', async () => {
  const client = createClient('postgresql://u:p%40ss%2Fword@localhost:1/d', {
    max: 1,
    applicationName: 'unit',
  })
  expect(client.options.pass).toBe('p@ss/word')
  await client.end()
})
