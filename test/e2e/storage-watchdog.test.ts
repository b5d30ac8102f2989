import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { isServerOf } from '../../host/embedded-postgres/postmaster.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { skipPart } from '../support/skips.ts'
import {
  processesNaming,
  serverPid,
  signalAll,
  startStorage,
  type StorageProcess,
} from './storage-process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'coinop-watchdog-'))
chmodSync(scratch, 0o755)
const running: StorageProcess[] = []
let count = 0
const freshDir = () => join(scratch, `d${++count}`)
/** One whose cluster is made already: what ends servers is the same, and initdb takes seconds of CPU. */
const preparedDir = (...under: string[]) => copyPreparedCluster(join(freshDir(), ...under))
/** A gateway or tool whose server outlives it by a second. */
function start(dataDir: string, options: Parameters<typeof startStorage>[1] = {}): StorageProcess {
  const started = startStorage(dataDir, { embedded: { graceMs: 1000 }, ...options })
  running.push(started)
  return started
}
afterEach(() => Promise.all(running.splice(0).map((process) => process.close())))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** The shells, and what they run in the end: no other process has DATA_DIR itself as an argument. */
const watchdogs = (dataDir: string, owners: readonly StorageProcess[] = []) =>
  processesNaming(dataDir).filter((pid) => !owners.some((owner) => owner.pid === pid))
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(20)
}
async function kill(process: StorageProcess): Promise<void> {
  process.kill('SIGKILL')
  await process.ended
}

test('the server of a killed gateway ends, and its watchdog with it', async () => {
  const dataDir = preparedDir()
  const gateway = start(dataDir)
  await gateway.line('ready')
  const pid = serverPid(dataDir)
  await kill(gateway)
  await until(() => watchdogs(dataDir).length === 0)
  expect(isServerOf(pid, join(dataDir, 'postgres'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})

test('nor is its socket directory in the temporary folder left, while DATA_DIR is', async () => {
  const dataDir = preparedDir('x'.repeat(100))
  const gateway = start(dataDir)
  const { url } = await gateway.line<string>('ready')
  const socketDir = new URL(url!).searchParams.get('host')!
  expect(dirname(socketDir)).toBe(tmpdir())
  await kill(gateway)
  await until(() => watchdogs(dataDir).length === 0)
  expect([existsSync(dataDir), existsSync(socketDir)]).toEqual([true, false])
})

test('an orderly end leaves no watchdog behind', async () => {
  const dataDir = preparedDir()
  const gateway = start(dataDir)
  await gateway.line('ready')
  expect(watchdogs(dataDir, [gateway])).toHaveLength(1)
  expect(await gateway.close()).toBe(0)
  await until(() => watchdogs(dataDir).length === 0)
})

test('a gateway that has adopted the server keeps it', async () => {
  const dataDir = preparedDir()
  const first = start(dataDir)
  await first.line('ready')
  const pid = serverPid(dataDir)
  await kill(first)
  const second = start(dataDir)
  await second.line('ready')
  await until(() => watchdogs(dataDir, [second]).length === 1)
  expect(serverPid(dataDir)).toBe(pid)
  expect(await second.ask('rows', 'rows')).toEqual([])
})

test('a gateway that comes just as the server is stopped gets one', async () => {
  const dataDir = preparedDir()
  for (let round = 0; round < 4; round++) {
    const killed = start(dataDir, { embedded: { graceMs: 0 } })
    await killed.line('ready')
    await kill(killed)
    // Each time a little later: before, while and after the server is stopped.
    await Bun.sleep(150 * round)
    const next = start(dataDir)
    await next.line('ready')
    expect(await next.ask('rows', 'rows')).toEqual([])
    expect(await next.close()).toBe(0)
  }
})

test('a frozen gateway keeps its database', async () => {
  const dataDir = preparedDir()
  const frozen = start(dataDir)
  await frozen.line('ready')
  const pid = serverPid(dataDir)
  frozen.kill('SIGSTOP')
  try {
    const tool = start(dataDir, { role: 'tool' })
    await tool.line('ready')
    await kill(tool)
    await until(() => watchdogs(dataDir, [frozen]).length === 1)
  } finally {
    frozen.kill('SIGCONT')
  }
  expect(await frozen.ask('rows', 'rows')).toEqual([])
  expect(serverPid(dataDir)).toBe(pid)
})

test('a watchdog that is killed is started anew', async () => {
  const dataDir = preparedDir()
  const gateway = start(dataDir)
  await gateway.line('ready')
  const pid = serverPid(dataDir)
  const before = watchdogs(dataDir, [gateway])
  signalAll(before, 'SIGKILL')
  await until(() => watchdogs(dataDir, [gateway]).some((shell) => !before.includes(shell)))
  await kill(gateway)
  await until(() => watchdogs(dataDir).length === 0)
  expect(isServerOf(pid, join(dataDir, 'postgres'))).toBe(false)
})

test('a watchdog that could not be started is started as soon as it can be', async () => {
  const dataDir = freshDir()
  const program = join(import.meta.dirname, 'storage-crowded-files.ts')
  // The limit is that of the program alone.
  const limited = 'ulimit -n 100 && exec "$0" "$@"'
  const owner = Bun.spawn(['/bin/sh', '-c', limited, process.execPath, program, dataDir], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const shells = () => processesNaming(dataDir).filter((pid) => pid !== owner.pid)
  try {
    expect((await owner.stdout.getReader().read()).done).toBe(false)
    await until(() => shells().length === 1)
  } finally {
    await owner.stdin.end()
  }
  expect(await owner.exited).toBe(0)
  await until(() => shells().length === 0)
})

test('a DATA_DIR removed under a killed gateway leaves neither server nor socket directory', async () => {
  const dataDir = preparedDir('x'.repeat(100))
  const gateway = start(dataDir)
  const { url } = await gateway.line<string>('ready')
  const socketDir = new URL(url!).searchParams.get('host')!
  const pid = serverPid(dataDir)
  const cluster = join(dataDir, 'postgres')
  await kill(gateway)
  rmSync(dataDir, { recursive: true })
  await until(() => watchdogs(dataDir).length === 0)
  expect([isServerOf(pid, cluster), existsSync(socketDir)]).toEqual([false, false])
})

test('the socket directory of a DATA_DIR that is too long goes with its server', async () => {
  const dataDir = preparedDir('x'.repeat(100))
  const gateway = start(dataDir)
  const { url } = await gateway.line<string>('ready')
  const socketDir = new URL(url!).searchParams.get('host')!
  expect(await gateway.close()).toBe(0)
  expect(existsSync(socketDir)).toBe(false)
})

const isRoot = process.geteuid?.() === 0
describe.skipIf(!isRoot && skipPart('root', 'these tests start servers as root'))(
  'as root, with a cluster outside of a private DATA_DIR',
  () => {
    /** A killed gateway, and the folder of its cluster. */
    async function killed(sandbox: boolean): Promise<{ dataDir: string; folder: string }> {
      const home = freshDir()
      mkdirSync(home, { mode: 0o700 })
      const dataDir = join(home, 'data')
      const gateway = start(dataDir, { embedded: { graceMs: 1000, sandbox } })
      await gateway.line('ready')
      const folder = dirname(readlinkSync(join(dataDir, 'postgres')))
      await kill(gateway)
      return { dataDir, folder }
    }

    test("a sandbox's goes with a DATA_DIR that is gone", async () => {
      const { dataDir, folder } = await killed(true)
      rmSync(dataDir, { recursive: true })
      await until(() => watchdogs(dataDir).length === 0)
      expect(existsSync(folder)).toBe(false)
    })

    test("a sandbox's whose DATA_DIR was deleted later goes with the next start of any gateway", async () => {
      const { dataDir, folder } = await killed(true)
      await until(() => watchdogs(dataDir).length === 0)
      rmSync(dataDir, { recursive: true })
      expect(existsSync(folder)).toBe(true)
      utimesSync(folder, 0, 0)
      await start(preparedDir()).line('ready')
      // A gateway of another test may be removing it at the same moment: then this one does not wait.
      await until(() => !existsSync(folder))
      expect(existsSync(folder)).toBe(false)
    })

    test.each([
      ["a sandbox's stays when DATA_DIR was moved", true],
      ['one that may hold real money stays whatever happens', false],
    ])('%s', async (_name, sandbox) => {
      const { dataDir, folder } = await killed(sandbox)
      try {
        if (sandbox) renameSync(dataDir, `${dataDir}-moved`)
        else rmSync(dataDir, { recursive: true })
        await until(() => watchdogs(dataDir).length === 0)
        expect(existsSync(join(folder, 'postgres/PG_VERSION'))).toBe(true)
        expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  },
)
