/** What an operator sees of an SMTP server that takes no mail. */
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Mailer } from '../../../../plugins/portal/mailer.ts'
import { silentLog } from '../../../support/log.ts'
import { freePort } from '../../../support/ports.ts'

let password = 'first'
let port: number
let received: string
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ password: given }, _session, done) =>
    given === password ? done(null, { user: 'gateway' }) : done(new Error('not this one')),
  onRcptTo: ({ address }, _session, done) =>
    address.startsWith('nobody@') ? done(new Error('no such mailbox')) : done(),
  onData(stream, _session, done) {
    received = ''
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()))
    stream.on('end', () => done())
  },
})
beforeAll(async () => {
  port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

it('a refused password is a degraded check until a mail leaves; a refused mailbox is none', async () => {
  const mailer = new Mailer(`smtp://gateway:first@127.0.0.1:${port}`, 'a@example.com', silentLog)
  const send = (to: string) => mailer.send({ to, subject: 'A link', text: 'here' })
  const health = () => mailer.health().probe(new AbortController().signal)
  const counts = () => Object.fromEntries(mailer.gauge().read() as Map<string, number>)
  expect(counts()).toEqual({ sent: 0, refused: 0, failed: 0 })
  expect(await send('nobody@example.com')).toBe(false)
  expect(await health()).toEqual({ state: 'ok' })

  password = 'second'
  expect(await send('somebody@example.com')).toBe(false)
  expect(await health()).toMatchObject({
    state: 'degraded',
    detail: expect.stringMatching(/^the last mail was not sent: .*not this one/),
  })

  password = 'first'
  expect(await send('nobody@example.com')).toBe(false)
  expect((await health()).state).toBe('degraded')
  expect(await send('somebody@example.com')).toBe(true)
  expect(await health()).toEqual({ state: 'ok' })
  expect(counts()).toEqual({ sent: 1, refused: 2, failed: 1 })
})

it('a mail says that no person wrote it, and where it ends', async () => {
  const mailer = new Mailer(`smtp://gateway:first@127.0.0.1:${port}`, 'a@example.com', silentLog)
  const mail = { to: 'somebody@example.com', subject: 'A notice', text: 'here' }
  await mailer.send({ ...mail, endedAt: 'https://gw.example/account/notices/end' })
  for (const name of ['Date', 'Message-ID']) expect(received).toMatch(new RegExp(`^${name}: `, 'm'))
  expect(received).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(received).toMatch(/^List-Unsubscribe: <https:\/\/gw\.example\/account\/notices\/end>\r$/m)
  expect(received).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  await mailer.send(mail)
  expect(received).not.toContain('List-Unsubscribe')
})
