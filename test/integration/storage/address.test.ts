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
  [
    'postgresql://u:p@[fd00:7::2]:6432/shop',
    {
      url: 'postgresql://u:p@[fd00:7::2]:6432/shop',
      ipv6: { host: ['fd00:7::2'], port: [6432] },
    },
  ],
  [
    'postgresql://u@localhost/shop?host=%3A%3A1',
    { url: 'postgresql://u@[::1]/shop', ipv6: { host: ['::1'], port: [5432] } },
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

test('an IPv6 address goes to the socket whole, with its port', async () => {
  const client = createClient('postgresql://u@[fd00:7::2]:6432/shop', {
    max: 1,
    applicationName: 'unit',
  })
  expect(client.options).toMatchObject({ host: ['fd00:7::2'], port: [6432] })
  await client.end()
})

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
