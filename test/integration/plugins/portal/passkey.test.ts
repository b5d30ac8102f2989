/** What registering a passkey leaves alone: certificates, and where they lead. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingsService } from '@simplewebauthn/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredPasskey, type PasskeyDeps } from '../../../../plugins/portal/sign-in/passkey.ts'
import { startCanary, type Canary } from '../../../attacks/canary.ts'
import { SoftPasskey } from '../../../support/passkey.ts'

const ORIGIN = 'https://coinop.test'
/** Formats for which the library brings authorities of its own. */
const FORMATS = ['apple', 'android-key', 'android-safetynet'] as const

let door: Canary
const before = FORMATS.map((identifier) => SettingsService.getRootCertificates({ identifier }))
beforeAll(async () => {
  door = await startCanary()
})
afterAll(async () => {
  FORMATS.forEach((identifier, at) =>
    SettingsService.setRootCertificates({ identifier, certificates: before[at]! }),
  )
  await door.close()
})

/** An authority, and a certificate of it whose list of revoked ones is at `url`. */
function certificates(url: string): { authority: string; leaf: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'attestation-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=An authority', '-keyout', at('ca.key'), '-out', at('ca.pem')) // prettier-ignore
    openssl('req', ...key, '-subj', '/CN=A passkey', '-keyout', at('leaf.key'), '-out', at('leaf.csr')) // prettier-ignore
    writeFileSync(at('ext'), `crlDistributionPoints=URI:${url}\n`)
    openssl('x509', '-req', '-in', at('leaf.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', at('ext'), '-outform', 'DER', '-out', at('leaf.der')) // prettier-ignore
    return { authority: readFileSync(at('ca.pem'), 'utf8'), leaf: readFileSync(at('leaf.der')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const deps = {
  site: { origin: ORIGIN, passkeyHost: 'coinop.test' },
  nonces: { take: async () => true },
} as unknown as PasskeyDeps
const ceremony = { challenge: 'YQ', origin: ORIGIN, rpId: 'coinop.test', counter: 0 }

it('a passkey without attestation, or with its own, is taken', async () => {
  const passkey = new SoftPasskey()
  for (const statement of [undefined, 'own'] as const) {
    const answer = passkey.created(ceremony, statement)
    expect(await registeredPasskey(deps, 'v', answer)).toMatchObject({ id: passkey.id })
  }
})

it.each<[unknown, string[]]>([
  [
    ['usb', 'nfc'],
    ['nfc', 'usb'],
  ],
  [['internal', 'a\0b', '\ud800', null, ['usb']], ['internal']],
  [null, []],
  ['usb', []],
  [{ usb: 1 }, []],
  [7, []],
])('of the transports %j the known ones are kept', async (said, kept) => {
  const answer = new SoftPasskey().created(ceremony, undefined, said)
  expect(await registeredPasskey(deps, 'v', answer)).toMatchObject({ transports: kept })
})

it('one with certificates is refused, and nothing that they name is fetched', async () => {
  const { authority, leaf } = certificates(`http://127.0.0.1:${door.port}/revoked`)
  for (const format of FORMATS) {
    // Whoever has a certificate of one of its real authorities can sign further ones.
    SettingsService.setRootCertificates({ identifier: format, certificates: [authority] })
  }
  for (const format of [...FORMATS, 'packed', 'tpm', 'fido-u2f']) {
    const answer = new SoftPasskey().created(ceremony, { format, certificate: leaf })
    expect(await registeredPasskey(deps, 'v', answer), format).toBe(null)
    expect(door.touched(), format).toBe(0)
  }
})
