/** What an error of a database server means to its operator, and what to do, by its code. */
import { codeOf, StorageError, type Database } from '#kernel/host'

const EMBEDDED = 'The gateway starts it anew by itself; its log is postgres.log in DATA_DIR.'
const WAITS = 'It goes on by itself once the server is ready; its log says what it is doing.'
const REACHES =
  'Start the server, or correct host and port in DATABASE_URL; a firewall between them must let them through.'
const NAMES = 'Correct the host in DATABASE_URL, or the name server of this machine.'
const TLS = "Let Node.js trust the server's certificate (NODE_EXTRA_CA_CERTS), or give it another."

/** SQLSTATEs (appendix A of the PostgreSQL manual), and codes of a connection that was not made. */
const MEANINGS: Readonly<Record<string, readonly [meaning: string, fix: string]>> = {
  '08P01': [
    'the pooler in front of the server, or the server, refused the connection',
    'The log of the pooler says why: its limits, its own users and databases, a server that it cannot reach.',
  ],
  '25006': [
    'the server takes no writes: it is a standby, or was set read-only',
    'Name the primary in DATABASE_URL, or promote this server.',
  ],
  '28000': [
    'the server does not let this user in',
    'Correct the user in DATABASE_URL, let the role log in (ALTER ROLE … LOGIN), or let it in by a line of pg_hba.conf.',
  ],
  '28P01': [
    'the server refuses the password of the user, or does not know the user',
    'Correct user and password in DATABASE_URL (special characters are percent-encoded), or set the password with ALTER ROLE … PASSWORD.',
  ],
  '3D000': [
    'the server has no database of this name',
    'Create it (CREATE DATABASE), or correct the name in DATABASE_URL.',
  ],
  '42501': [
    "the user may not do that in the server's database",
    'Make it the owner of the database and of the schema coinop (ALTER DATABASE … OWNER TO …).',
  ],
  '53100': ['the disk of the server is full', 'Free some space there.'],
  '53200': [
    'the server is out of memory',
    'Give it more, or lower its shared_buffers or max_connections.',
  ],
  '53300': [
    'all connections that the server, the role or the database may have are taken',
    'End some, or raise the limit (max_connections, ALTER ROLE … CONNECTION LIMIT); each gateway keeps up to 16.',
  ],
  '55000': [
    'the database takes no connections',
    'Allow them again: ALTER DATABASE … ALLOW_CONNECTIONS true.',
  ],
  '57P01': [
    'the server is being stopped, or its operator ended the session',
    'Start it again; the gateway connects by itself.',
  ],
  '57P02': ['the server ended its sessions after a crash of one', WAITS],
  '57P03': ['the server is starting up, recovering or shutting down', WAITS],
  CONNECTION_CLOSED: ['the server, or a proxy in front of it, closed the connection', REACHES],
  CONNECT_TIMEOUT: ['the server did not answer in time', REACHES],
  ECONNREFUSED: ['nothing listens at the address of the server', REACHES],
  ECONNRESET: ['the server, or a proxy in front of it, cut the connection', REACHES],
  EAI_AGAIN: ['the name of the server cannot be looked up at the moment', NAMES],
  EHOSTUNREACH: ['no way leads to the machine of the server', REACHES],
  ENETUNREACH: ['no way leads to the network of the server', REACHES],
  ENOENT: ['the socket of the server is not there', REACHES],
  ENOTFOUND: ['the name of the server is not known', NAMES],
  ETIMEDOUT: ['the server did not answer in time', REACHES],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['the certificate of the server is not trusted', TLS],
  SELF_SIGNED_CERT_IN_CHAIN: ['the certificate of the server is not trusted', TLS],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['the certificate of the server is not trusted', TLS],
}

/**
 * The error of a statement or connection in words for the operator, which quote nothing of it; null where
 * they are not known. The 'embedded' server is the gateway's own care.
 */
export function explained(error: unknown, kind: Database['kind'] = 'server'): StorageError | null {
  const code = codeOf(error)
  const known = MEANINGS[code]
  if (known === undefined) return null
  const [meaning, fix] = known
  const isCaredFor = kind === 'embedded' && !code.startsWith('53')
  return new StorageError(`${meaning} (${code}).`, isCaredFor ? EMBEDDED : fix, { cause: error })
}
