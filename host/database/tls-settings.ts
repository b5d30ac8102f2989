/**
 * Files of certificates that a connection text names. postgres.js passes over libpq's `sslrootcert`, and
 * sends `sslcert` and `sslkey` to the server as settings.
 * Source: PostgreSQL's documentation, "SSL Support" of libpq (modes of verification and their files).
 */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StorageError } from '#kernel/host'

const FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const
type File = (typeof FILES)[number]

/** Modes that encrypt and trust any server, unless they name whom to trust. */
const UNVERIFIED = ['require', 'prefer', 'allow']

/**
 * What TLS needs of the files that `parameters` name, which are taken out of it with `sslmode`; null where
 * they name none. A StorageError names the file that cannot be read.
 */
export function takeTlsFiles(parameters: URLSearchParams): ConnectionOptions | null {
  const named = FILES.filter((name) => parameters.has(name))
  const mode = parameters.get('sslmode') ?? 'verify-ca'
  const read = Object.fromEntries(
    named
      .filter((name) => parameters.get(name) !== 'system')
      .map((name) => [name, contentOf(name, parameters.get(name)!)]),
  ) as Partial<Record<File, Buffer>>
  for (const name of named) parameters.delete(name)
  if (Object.keys(read).length === 0 || mode === 'disable') {
    if (named.includes('sslrootcert') && mode !== 'disable')
      parameters.set('sslmode', 'verify-full')
    return null
  }
  parameters.delete('sslmode')
  const isVerified = read.sslrootcert !== undefined || !UNVERIFIED.includes(mode)
  return {
    ca: read.sslrootcert,
    cert: read.sslcert,
    key: read.sslkey,
    rejectUnauthorized: isVerified,
    // All but this mode leave the name of the server open.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function contentOf(name: File, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new StorageError(
      `${name} of DATABASE_URL cannot be read: ${(error as Error).message}.`,
      'Name a file in PEM format that the gateway may read.',
      { cause: error },
    )
  }
}
