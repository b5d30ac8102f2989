/** Certificates that a connection text names as libpq does, against a server that speaks TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../host/database/client.ts'
import { certificateFor } from '../../support/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-files-'))
const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const own = certificateFor('localhost')
const elsewhere = certificateFor('elsewhere.example')
const ownFile = fileOf('own.pem', own.cert)
const elsewhereFile = fileOf('elsewhere.pem', elsewhere.cert)
const client = {
  sslcert: fileOf('client.pem', elsewhere.cert),
  sslkey: fileOf('client-key.pem', elsewhere.key),
}

/** What a session that is let in hears: an error of the server, which proves that TLS stands. */
const LET_IN = 'ZZ001'
const refusal = (): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${LET_IN}\0Mlet in\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const open = new Set<Socket>()
/** The names in the certificates that clients brought. */
const brought: unknown[] = []
const serverWith = (secure: { key: string; cert: string }) =>
  createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write('S')
      const options = { isServer: true, requestCert: true, rejectUnauthorized: false, ...secure }
      const tls = new TLSSocket(socket, options)
      tls.on('error', () => {})
      tls.once('data', () => {
        brought.push(tls.getPeerCertificate().subject?.CN)
        tls.end(refusal())
      })
    })
  })
const servers = { own: serverWith(own), elsewhere: serverWith(elsewhere) }
const ports = { own: 0, elsewhere: 0 }

beforeAll(async () => {
  for (const name of ['own', 'elsewhere'] as const) {
    await new Promise<void>((resolve) => servers[name].listen(0, '127.0.0.1', resolve))
    ports[name] = (servers[name].address() as { port: number }).port
  }
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  for (const server of Object.values(servers)) server.close()
  rmSync(folder, { recursive: true })
})

async function codeOf(server: 'own' | 'elsewhere', parameters: object): Promise<string> {
  const query = new URLSearchParams({ ...parameters })
  const url = `postgresql://u:p@localhost:${ports[server]}/shop?${query}`
  const sql = createClient(url, { max: 1, applicationName: 'coinop test' })
  try {
    await sql`select 1`
    return 'answered'
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const UNTRUSTED = 'DEPTH_ZERO_SELF_SIGNED_CERT'
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

test.each([
  ['own', { sslmode: 'verify-full', sslrootcert: ownFile }, LET_IN],
  ['own', { sslmode: 'verify-full', sslrootcert: elsewhereFile }, UNTRUSTED],
  ['own', { sslmode: 'verify-full' }, UNTRUSTED],
  ['own', { sslmode: 'verify-full', sslrootcert: 'system' }, UNTRUSTED],
  ['own', { sslrootcert: 'system' }, UNTRUSTED],
  ['own', { sslrootcert: elsewhereFile }, UNTRUSTED],
  ['own', { sslmode: 'require' }, LET_IN],
  ['own', { sslmode: 'require', sslrootcert: elsewhereFile }, UNTRUSTED],
  ['elsewhere', { sslmode: 'verify-full', sslrootcert: elsewhereFile }, WRONG_NAME],
  ['elsewhere', { sslmode: 'verify-ca', sslrootcert: elsewhereFile }, LET_IN],
  ['elsewhere', { sslmode: 'require', sslrootcert: elsewhereFile }, LET_IN],
] as const)('the server %s by %j: %s', async (server, parameters, code) => {
  expect(await codeOf(server, parameters)).toBe(code)
})

test('a client brings the certificate that its text names', async () => {
  brought.length = 0
  expect(await codeOf('own', { sslmode: 'require', ...client })).toBe(LET_IN)
  expect(brought).toEqual(['elsewhere.example'])
})

test('a file that cannot be read is named', () => {
  const url = 'postgresql://u@h/shop?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  expect(() => createClient(url, { max: 1, applicationName: 'coinop test' })).toThrow(
    expect.objectContaining({
      name: 'StorageError',
      message: expect.stringContaining('sslrootcert of DATABASE_URL cannot be read: ENOENT'),
    }),
  )
})
