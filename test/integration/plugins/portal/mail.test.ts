/** Links to sign in, over the real table: how many mails one visitor may cause. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { MIGRATIONS } from '../../../../plugins/portal/migrations.ts'
import { sendLink, type MailDeps } from '../../../../plugins/portal/sign-in/mail.ts'
import { testDatabase } from '../../../support/database.ts'

const database = await testDatabase()
afterAll(() => database.close())
beforeAll(() => migratePlugin(database.db, 'portal', MIGRATIONS))

/**
 * How many mails go out when each of these addresses of the network asks for a mailbox, which is
 * another one each time unless it is given.
 */
async function mailsFrom(addresses: readonly string[], mailbox?: string): Promise<number> {
  const sent: string[] = []
  const deps = {
    db: pluginDb(database.db, 'portal'),
    site: { uri: 'https://coinop.test/account', home: '/account' },
    mailer: { send: async ({ to }: { to: string }) => void sent.push(to) },
    operatorName: 'the operator',
  } as unknown as MailDeps
  for (const address of addresses) {
    const email = mailbox ?? `${crypto.randomUUID()}@example.com`
    await sendLink(deps, { email, visitor: 'v', address, accountId: null, next: '/account' })
  }
  return sent.length
}
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

it('are limited for an IPv4 address, however it is written', async () => {
  const forms = ['192.0.2.1', '::ffff:192.0.2.1']
  expect(await mailsFrom(times(30, (i) => forms[i % 2]!))).toBe(20)
  expect(await mailsFrom(['192.0.2.2'])).toBe(1)
})

it('are limited for the block of IPv6 addresses that one subscriber has', async () => {
  expect(await mailsFrom(times(30, (i) => `2001:db8:1:2::${(i + 1).toString(16)}`))).toBe(20)
  expect(await mailsFrom(['2001:db8:1:3::1'])).toBe(1)
})

it('to a mailbox that a stranger keeps asking for still reach its owner', async () => {
  const mailbox = 'wanted@example.com'
  expect(await mailsFrom(Array(8).fill('192.0.2.10'), mailbox)).toBe(3)
  expect(await mailsFrom(['192.0.2.11'], mailbox)).toBe(1)
  const many = times(30, (i) => `198.51.100.${i}`)
  expect(await mailsFrom(many, mailbox)).toBe(8)
})
