import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../host/database/client.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { lockHolders, serverPid, signalAll, startStorage } from './storage-process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'coinop-crash-'))
chmodSync(scratch, 0o755)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A DATA_DIR whose cluster is made already: only the last test is about initdb. */
const preparedDir = (name: string) => copyPreparedCluster(join(scratch, name))

const until = async (condition: () => boolean) => {
  while (!condition()) await Bun.sleep(5)
}

test('kill -9 of PostgreSQL, three times under writes: it comes back, nothing acknowledged is lost', async () => {
  const dataDir = preparedDir('server')
  const gateway = startStorage(dataDir)
  const url = (await gateway.line<string>('ready'))['url']!
  await gateway.ask('listen', 'listening')
  gateway.tell('write')
  await gateway.line('acked')
  for (let round = 1; round <= 3; round++) {
    const pid = serverPid(dataDir)
    process.kill(pid, 'SIGKILL')
    const refusedBefore = gateway.all('refused').length
    await until(() => gateway.all('refused').length > refusedBefore)
    const ackedBefore = gateway.all('acked').length
    await until(() => gateway.all('acked').length > ackedBefore + 20)
    expect(serverPid(dataDir)).not.toBe(pid)
  }
  // The listener subscribes anew by itself; until it has, a notification is lost.
  while (gateway.all('heard').length === 0) {
    gateway.tell('notify again')
    await Bun.sleep(20)
  }
  // The lock is held again, soon after the server answers.
  while ((await lockHolders(url)).length === 0) await Bun.sleep(20)
  const second = startStorage(dataDir)
  expect((await second.line<string>('failed'))['failed']).toContain('Another gateway')
  const rows = new Set(await gateway.ask<number[]>('rows', 'rows'))
  expect(gateway.all<number>('acked').filter((n) => !rows.has(n) && n < Math.max(...rows))).toEqual(
    [],
  )
  expect(await gateway.close()).toBe(0)
})

test('only the connection that holds the lock is cut: the lock is taken again, the server stays', async () => {
  const dataDir = preparedDir('lock')
  const gateway = startStorage(dataDir)
  const url = (await gateway.line<string>('ready'))['url']!
  const pid = serverPid(dataDir)
  const [first] = await lockHolders(url)
  const sql = createClient(url, { max: 1, applicationName: 'test' })
  await sql`select pg_terminate_backend(${first!})`
  await sql.end()
  let now = await lockHolders(url)
  while (now.length === 0 || now[0] === first) {
    await Bun.sleep(5)
    now = await lockHolders(url)
  }
  const second = startStorage(dataDir)
  expect((await second.line<string>('failed'))['failed']).toContain('Another gateway')
  // The last to leave stops the server: a tool that comes and goes is not the last.
  const tool = startStorage(dataDir, { role: 'tool' })
  await tool.line('ready')
  expect(await tool.close()).toBe(0)
  expect(serverPid(dataDir)).toBe(pid)
  expect(await gateway.close()).toBe(0)
})

test('a frozen server holds up no gateway that ends', async () => {
  const dataDir = preparedDir('frozen')
  const gateway = startStorage(dataDir)
  const sql = createClient((await gateway.line<string>('ready'))['url']!, {
    max: 1,
    applicationName: 'test',
  })
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where pid <> pg_backend_pid()`
  await sql.end()
  const frozen = [serverPid(dataDir), ...rows.map((row) => row.pid)]
  signalAll(frozen, 'SIGSTOP')
  try {
    expect(await gateway.close()).toBe(0)
  } finally {
    signalAll(frozen, 'SIGKILL')
  }
  const next = startStorage(dataDir)
  await next.line('ready')
  expect(await next.close()).toBe(0)
})

test('kill -9 of gateway and PostgreSQL together, three times: every acknowledged row is there', async () => {
  const dataDir = preparedDir('both')
  const acked: number[] = []
  for (let round = 1; round <= 3; round++) {
    const gateway = startStorage(dataDir)
    await gateway.line('ready')
    gateway.tell('write')
    await until(() => gateway.all('acked').length > 20)
    process.kill(serverPid(dataDir), 'SIGKILL')
    gateway.kill('SIGKILL')
    await gateway.ended
    acked.push(...gateway.all<number>('acked'))
  }
  const last = startStorage(dataDir)
  const rows = await last.ask<number[]>('rows', 'rows')
  expect(rows).toEqual(expect.arrayContaining(acked))
  await last.close()
})

test('a process file left by a crash, its number now another program, is no obstacle', async () => {
  const dataDir = preparedDir('reused')
  const first = startStorage(dataDir)
  await first.line('ready')
  const file = join(dataDir, 'postgres/postmaster.pid')
  const content = readFileSync(file, 'utf8')
  await first.close()
  writeFileSync(file, content.replace(/^\d+/, String(process.pid)))
  const second = startStorage(dataDir)
  await second.line('ready')
  expect(await second.close()).toBe(0)
})

test('an initdb that was interrupted leaves nothing that looks like a cluster', async () => {
  const dataDir = join(scratch, 'half')
  const first = startStorage(dataDir)
  // Somewhere in the middle of initdb, which takes more than this on any machine.
  await Bun.sleep(300)
  first.kill('SIGKILL')
  await first.ended
  const second = startStorage(dataDir)
  await second.line('ready')
  expect(await second.close()).toBe(0)
})
