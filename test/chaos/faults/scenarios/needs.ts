/** What a machine may lack for a scenario: each check returns its name, or null when it is there. */
import { existsSync } from 'node:fs'
import { anvilBinary } from '../../../../plugins/x402/sandbox/anvil.ts'
import { hasPgbouncer } from '../pooler.ts'
import { debianPostgres } from '../postgres.ts'

export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

export const debian = () => (debianPostgres() === null ? "Debian's postgresql" : null)
/** The first of what is missing. */
export const all =
  (...checks: (() => string | null)[]) =>
  () =>
    checks.map((check) => check()).find((missing) => missing !== null) ?? null
export const faketime = () =>
  existsSync(FAKETIME) ? null : 'libfaketime (apt-get install faketime)'
export const pgbouncer = () => (hasPgbouncer() ? null : 'pgbouncer (apt-get install pgbouncer)')
export const anvil = () => (anvilBinary().ok ? null : 'anvil for this platform')
export const root = () => (process.getuid?.() === 0 ? null : 'root, to mount a small file system,')
