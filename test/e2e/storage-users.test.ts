import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findBinaries } from '../../host/embedded-postgres/binaries.ts'
import { SOURCE_PROGRAM } from '../support/program.ts'
import { skipPart } from '../support/skips.ts'
import { serverPid, startStorage } from './storage-process.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const scratch = mkdtempSync(join(tmpdir(), 'coinop-users-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const platformPackage = dirname(
  dirname(
    createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ),
  ),
)
/** As Bun's installer leaves it: no symlinks. */
function packageWithoutSymlinks(name: string): string {
  const folder = join(scratch, name)
  cpSync(platformPackage, folder, {
    recursive: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  })
  return folder
}

test('missing library symlinks are made', () => {
  const folder = packageWithoutSymlinks('repaired')
  const before = spawnSync(join(folder, 'native/bin/initdb'), ['--version'], { encoding: 'utf8' })
  const binaries = findBinaries(null, [join(scratch, 'unused')], folder)
  expect(binaries.major).toBe('18')
  const after = spawnSync(binaries.initdb, ['--version'], { encoding: 'utf8' })
  expect([before.status === 0, after.status]).toEqual([false, 0])
})

test('programs below a folder whose name a shell would change are copied to the first open cache', () => {
  const folder = packageWithoutSymlinks('at $HOME')
  const blocked = join(scratch, 'blocked')
  writeFileSync(blocked, '')
  const cache = join(scratch, 'second')
  const { initdb } = findBinaries(null, [join(blocked, 'cache'), cache], folder)
  expect(initdb.startsWith(cache)).toBe(true)
  expect(() => findBinaries(null, [join(blocked, 'cache')], folder)).toThrow(
    expect.objectContaining({ fix: expect.stringContaining('XDG_CACHE_HOME') }),
  )
})

test('a platform without programs is told to set DATABASE_URL', () => {
  const folder = packageWithoutSymlinks('broken')
  rmSync(join(folder, 'native/bin/postgres'))
  expect(() => findBinaries(null, [join(scratch, 'broken-cache')], folder)).toThrow(
    expect.objectContaining({ name: 'StorageError', fix: expect.stringContaining('DATABASE_URL') }),
  )
})

const isRoot = process.geteuid?.() === 0
describe.skipIf(!isRoot && skipPart('root', 'these tests start servers as root'))('as root', () => {
  test('the server runs as another user and does not own DATA_DIR itself', async () => {
    mkdirSync(join(scratch, 'open'), { mode: 0o755 })
    spawnSync('chmod', ['755', scratch])
    const dataDir = join(scratch, 'open/data')
    const gateway = startStorage(dataDir)
    await gateway.line('ready')
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(statSync(dataDir).uid).toBe(0)
    const status = readFileSync(`/proc/${serverPid(dataDir)}/status`, 'utf8')
    expect(status).not.toMatch(/^Uid:\s+0/m)
    expect(await gateway.close()).toBe(0)
  })

  test('a user whom the system does not know, without a home, is told what PostgreSQL lacks', () => {
    const unknown = { uid: 54321, gid: 54321 }
    const dataDir = join(scratch, 'unknown')
    mkdirSync(dataDir)
    chownSync(dataDir, unknown.uid, unknown.gid)
    spawnSync('chmod', ['755', scratch])
    const [runtime, file] = [process.execPath, SOURCE_PROGRAM]
    if (spawnSync('test', ['-r', file], unknown).status !== 0) {
      skipPart('unknown users', 'this folder is closed to other users')
      return
    }
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, SANDBOX_CHAIN: 'false', PORT: '0' }
    const ran = spawnSync(runtime, [file, 'start'], { ...unknown, env, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([
      69,
      expect.stringMatching(/effective user ID 54321: user does not exist\n {2}.*\/etc\/passwd/),
    ])
  })

  test('a DATA_DIR in a private home: the cluster lies elsewhere, behind a symlink', async () => {
    const home = join(scratch, 'home')
    mkdirSync(home, { mode: 0o700 })
    const dataDir = join(home, 'data')
    const first = startStorage(dataDir)
    await first.line('ready')
    const cluster = readlinkSync(join(dataDir, 'postgres'))
    first.tell('write')
    await first.line('acked')
    expect(await first.close()).toBe(0)
    const second = startStorage(dataDir)
    expect((await second.ask<number[]>('rows', 'rows')).length).toBeGreaterThan(0)
    expect(await second.close()).toBe(0)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    rmSync(dirname(cluster), { recursive: true })
  })

  test('programs that the user cannot reach are copied once', () => {
    const home = join(scratch, 'sealed')
    mkdirSync(home, { mode: 0o700 })
    const folder = packageWithoutSymlinks('sealed/package')
    const cache = join(scratch, 'cache')
    const binaries = findBinaries(NOBODY, [cache], folder)
    expect(binaries.postgres.startsWith(cache)).toBe(true)
    const copied = statSync(binaries.postgres).ino
    expect(statSync(findBinaries(NOBODY, [cache], folder).postgres).ino).toBe(copied)
  })

  test.each([
    ['without rights', ['setpriv', '--bounding-set=-all', '--inh-caps=-all'], 'CAP_SETUID'],
    ['without other users', ['unshare', '--user', '--map-root-user'], 'no such user'],
  ])('a root %s is told to be another user, and nothing is left', (_, [tool, ...flags], why) => {
    if (spawnSync(tool!, [...flags, 'true']).status !== 0) {
      skipPart('rights', `${tool} does not work here`)
      return
    }
    const dataDir = join(scratch, tool!)
    const env = { ...process.env, DATA_DIR: dataDir, SANDBOX_CHAIN: 'false', PORT: '0' }
    const words = [...flags, process.execPath, SOURCE_PROGRAM, 'start']
    const ran = spawnSync(tool!, words, { env, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([69, expect.stringContaining(why)])
    expect(ran.stderr).toContain('not root')
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('a normal user runs its own server; another user is refused', async () => {
    const dataDir = join(scratch, 'own')
    mkdirSync(dataDir)
    chownSync(dataDir, NOBODY.uid, NOBODY.gid)
    const gateway = startStorage(dataDir, { user: NOBODY })
    await gateway.line('ready')
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY.uid)
    expect(await gateway.close()).toBe(0)
    // Root takes the owner of the cluster.
    const root = startStorage(dataDir)
    await root.line('ready')
    expect(await root.close()).toBe(0)
    const stranger = startStorage(dataDir, { user: { uid: 65533, gid: 65533 } })
    expect((await stranger.line<string>('failed'))['failed']).toMatch(/belongs to user|EACCES/)
    await stranger.ended
  })
})
