import { spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createClient } from '../../host/database/client.ts'
import { isServerOf } from '../../host/embedded-postgres/postmaster.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import {
  lockHolders,
  serverPid,
  signalAll,
  startStorage,
  type StorageProcess,
} from './storage-process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'coinop-storage-'))
// mkdtemp makes it private; the server of root runs as another user.
chmodSync(scratch, 0o755)
const running: StorageProcess[] = []
let count = 0
const freshDir = () => join(scratch, `d${++count}`)
/** One whose cluster is made already, where a test is about what comes after that: initdb takes seconds. */
const preparedDir = () => copyPreparedCluster(freshDir())
function start(...args: Parameters<typeof startStorage>): StorageProcess {
  const started = startStorage(...args)
  running.push(started)
  return started
}
afterEach(() => Promise.all(running.splice(0).map((process) => process.close())))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('a fresh start makes a synced server without a TCP port; the rows are there after a restart', async () => {
  const dataDir = freshDir()
  const first = start(dataDir)
  expect(await first.line('ready')).toMatchObject({ fsync: 'on', tcp: '' })
  first.tell('write')
  await first.line('acked')
  expect(await first.close()).toBe(0)
  const acked = first.all<number>('acked')
  expect(() => serverPid(dataDir)).toThrow(/ENOENT/)

  const second = start(dataDir)
  const rows = await second.ask<number[]>('rows', 'rows')
  expect(rows).toEqual(expect.arrayContaining(acked))
  expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log', 'run'])
})

test('a second gateway is refused and names the first; a tool works beside it and leaves it running', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  await first.line('ready')
  const second = start(dataDir)
  const { failed, fix } = await second.line<string>('failed')
  expect(failed).toContain(`Another gateway (process ${first.pid}, since`)
  expect(fix).toContain('DATABASE_URL')
  expect(await second.ended).toBe(1)

  const tool = start(dataDir, { role: 'tool' })
  await tool.line('ready')
  expect(await tool.close()).toBe(0)
  expect(await first.ask('rows', 'rows')).toEqual([])
})

test('a cluster of another major version is refused and left as it is', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  await first.line('ready')
  await first.close()
  const version = join(dataDir, 'postgres/PG_VERSION')
  const major = readFileSync(version, 'utf8')
  const log = join(dataDir, 'postgres.log')
  const logged = readFileSync(log, 'utf8')
  writeFileSync(version, '17\n')

  const second = start(dataDir)
  const { failed, fix } = await second.line<string>('failed')
  expect(failed).toContain(
    `was made by PostgreSQL 17, and this version of Coinop brings ${major.trim()}`,
  )
  expect(fix).toContain('Start the version of Coinop that made it')
  expect(await second.ended).toBe(1)
  expect(readFileSync(log, 'utf8')).toBe(logged)

  writeFileSync(version, major)
  await start(dataDir).line('ready')
})

test('a cluster that asks for a password, after it was a server of its own, is told how to open it', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  const sql = createClient((await first.line<string>('ready'))['url']!, {
    max: 1,
    applicationName: 'test',
  })
  await sql`ALTER ROLE coinop PASSWORD 'secret'`
  await sql.end()
  await first.close()
  appendFileSync(join(dataDir, 'postgres/postgresql.conf'), 'port = 6543\n')
  const hba = join(dataDir, 'postgres/pg_hba.conf')
  const open = readFileSync(hba, 'utf8')
  writeFileSync(hba, open.replaceAll(/\btrust$/gm, 'scram-sha-256'))
  const { failed, fix } = await start(dataDir).line<string>('failed')
  expect(failed).toContain('refuses its user coinop')
  const [, line] = /`(.*?)`/.exec(fix!)!
  writeFileSync(hba, `${line}\n${readFileSync(hba, 'utf8')}`)
  expect(await start(dataDir).ask('rows', 'rows')).toEqual([])
})

test('of two gateways that start together on nothing, one opens and one is refused', async () => {
  const dataDir = freshDir()
  const both = [start(dataDir), start(dataDir)]
  const won = await Promise.allSettled(both.map((process) => process.line('ready')))
  expect(won.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log', 'run'])
})

test('a tool alone starts the server; a gateway that joins keeps it when the tool ends', async () => {
  const dataDir = freshDir()
  const tool = start(dataDir, { role: 'tool' })
  await tool.line('ready')
  const pid = serverPid(dataDir)
  const gateway = start(dataDir)
  await gateway.line('ready')
  await tool.close()
  expect(serverPid(dataDir)).toBe(pid)
  await gateway.close()
  expect(isServerOf(pid, join(dataDir, 'postgres'))).toBe(false)
})

test('a gateway that comes just as the last tool leaves gets its server, however close it is', async () => {
  const dataDir = preparedDir()
  for (let round = 0; round < 4; round++) {
    const tool = start(dataDir, { role: 'tool' })
    const url = (await tool.line<string>('ready'))['url']!
    const watching = createClient(url, { max: 1, applicationName: 'test' })
    const gateway = start(dataDir)
    const connected = () => watching`select 1 from pg_stat_activity
      where application_name like 'coinop probe%' or application_name like 'coinop gateway%'`
    while ((await connected()).length === 0);
    await watching.end()
    await Bun.sleep(2 * round)
    const closed = tool.close()
    await gateway.line('ready')
    expect(await gateway.ask('rows', 'rows')).toEqual([])
    expect([await closed, await gateway.close()]).toEqual([0, 0])
  }
})

test('after kill -9 the next gateway adopts the server, and stops it in the end', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  await first.line('ready')
  first.tell('write')
  await first.line('acked')
  first.kill('SIGKILL')
  await first.ended
  const pid = serverPid(dataDir)
  expect(isServerOf(pid, join(dataDir, 'postgres'))).toBe(true)

  const second = start(dataDir)
  await second.line('ready')
  expect(serverPid(dataDir)).toBe(pid)
  const rows = await second.ask<number[]>('rows', 'rows')
  expect(rows).toEqual(expect.arrayContaining(first.all<number>('acked')))
  await second.close()
  expect(isServerOf(pid, join(dataDir, 'postgres'))).toBe(false)
})

test('a crash whose process number another program has by now does not keep the next start off', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  await first.line('ready')
  const server = serverPid(dataDir)
  first.kill('SIGKILL')
  signalAll([server], 'SIGKILL')
  await first.ended
  // PostgreSQL sees only processes of its own user, as those of a container are.
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['infinity'], { uid, gid, stdio: 'ignore' })
  try {
    for (const file of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
      const [, ...rest] = readFileSync(join(dataDir, file), 'utf8').split('\n')
      writeFileSync(join(dataDir, file), [stranger.pid, ...rest].join('\n'))
    }
    const second = start(dataDir)
    expect(await second.ask('rows', 'rows')).toEqual([])
    expect(stranger.exitCode).toBeNull()
  } finally {
    stranger.kill('SIGKILL')
  }
})

test.skipIf(process.platform !== 'linux')(
  'a DATA_DIR that is moved under its server is refused, and a copy of it is not taken for it',
  async () => {
    const [dataDir, copy, moved] = [preparedDir(), freshDir(), freshDir()]
    const first = start(dataDir)
    await first.line('ready')
    Bun.spawnSync(['cp', '-a', dataDir, copy])
    expect(await start(copy).ask('rows', 'rows')).toEqual([])
    expect(serverPid(copy)).not.toBe(serverPid(dataDir))

    const server = serverPid(dataDir)
    renameSync(dataDir, moved)
    const { failed, fix } = await start(moved).line<string>('failed')
    expect(failed).toBe(
      `${join(moved, 'postgres')} was moved while its PostgreSQL server (process ${server}) was running.`,
    )
    expect(fix).toContain('Stop the gateway that uses it')
    expect(serverPid(moved)).toBe(server)
    renameSync(moved, dataDir)
    expect(await first.ask('rows', 'rows')).toEqual([])
  },
)

test('a server that is slow to notice the death of its gateway holds up the next one, no more', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  const url = (await first.line<string>('ready'))['url']!
  const holders = await lockHolders(url)
  signalAll(holders, 'SIGSTOP')
  try {
    first.kill('SIGKILL')
    await first.ended
    const second = start(dataDir)
    await Promise.race([second.ended, Bun.sleep(3000)])
    signalAll(holders, 'SIGCONT')
    await second.line('ready')
  } finally {
    signalAll(holders, 'SIGCONT')
  }
})

test('Ctrl-C reaches the gateway only: its database answers while it drains', async () => {
  const dataDir = preparedDir()
  const gateway = start(dataDir)
  await gateway.line('ready')
  process.kill(-gateway.pid, 'SIGINT')
  await gateway.line('interrupted')
  expect(await gateway.ask('rows', 'rows')).toEqual([])
})

test('a DATA_DIR too long for a socket path uses a private directory instead', async () => {
  const dataDir = join(freshDir(), 'x'.repeat(100))
  const gateway = start(dataDir)
  const { url } = await gateway.line<string>('ready')
  expect(new URL(url!).searchParams.get('host')).not.toContain('xxx')
  const tool = start(dataDir, { role: 'tool' })
  expect(await tool.line('ready')).toMatchObject({ url })
})
