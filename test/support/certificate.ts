/** A certificate of its own for a test server, made by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** PEM texts for these names; `cert` is also the authority to trust. */
export function certificateFor(...names: string[]): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const alternatives = names.map((name) => `${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`)
  const subject = [
    '-subj',
    `/CN=${names[0]}`,
    '-addext',
    `subjectAltName=${alternatives.join(',')}`,
  ]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', ...kind, ...subject, '-keyout', keyFile, '-out', certFile],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
