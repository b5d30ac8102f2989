/** What somebody started is gone, with its database, whichever of its processes is told to end. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { isAlive } from '../../kernel/work/process.ts'
import { createClient } from '../../host/database/client.ts'
import { SUPERUSER } from '../../host/embedded-postgres/cluster.ts'
import { socketUrl } from '../../host/embedded-postgres/connection-text.ts'
import { isServerOf } from '../../host/embedded-postgres/postmaster.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { PATIENT } from '../support/patience.ts'
import { SOURCE_PROGRAM } from '../support/program.ts'
import { skipPart } from '../support/skips.ts'
import { serverPid, signalAll } from './storage-process.ts'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'coinop-ending-'))
chmodSync(scratch, 0o755)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const environment = (dataDir: string): Record<string, string> => ({
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  HOME: scratch,
  DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
  SANDBOX_CHAIN: 'false',
})

async function started(command: readonly string[], dataDir: string) {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: environment(dataDir),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  // Read to the end: a gateway whose output nobody takes is another matter.
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let printed = ''
  while (!printed.includes('listening on')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(printed)
    printed += decoder.decode(value, { stream: true })
  }
  void (async () => {
    while (!(await reader.read()).done);
  })()
  const server = serverPid(dataDir)
  return { child, server, gateway: parentOf(server) }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

const NPM = ['npm', 'start', '--silent']
const LAUNCHER = ['node', 'bin/coinop.mjs', 'start']
const BUN = [process.execPath, 'run', 'start']
/** A plugin that does nothing. */
const SILENT = `
  import { Type } from 'typebox'
  export default { id: 'said', version: '1.0.0', kernel: '^1.0.0', config: Type.Object({}), setup: () => ({}) }
`
const canTell = process.platform === 'linux' && Bun.which('npm') !== null
const isSkipped = !canTell && skipPart('commands and signals', 'needs Linux and npm')
/** One after the other in one DATA_DIR: each start needs that nothing of the one before is left. */
let turn = Promise.resolve()
it.skipIf(isSkipped).concurrent.each([
  // In one of its own beside them: a database outlives its killed gateway by 20 s.
  ['coinop start', LAUNCHER, 'SIGKILL', 'gateway', 137],
  ['npm start', NPM, 'SIGTERM', 'command', 0],
  ['npm start', NPM, 'SIGHUP', 'command', null],
  ['npm start', NPM, 'SIGKILL', 'command', null],
  ['npm start', NPM, 'SIGHUP', 'gateway', 0],
  ['bun start', BUN, 'SIGHUP', 'command', null],
  ['coinop start', LAUNCHER, 'SIGHUP', 'command', 0],
  ['coinop start', LAUNCHER, 'SIGKILL', 'command', null],
] as const)(
  '%s, %#: everything is gone after a signal',
  async (_name, command, signal, target, exitCode) => {
    const isOutlived = signal === 'SIGKILL' && target === 'gateway'
    const run = async (): Promise<void> => {
      const dataDir = isOutlived
        ? copyPreparedCluster(join(scratch, 'killed'))
        : join(scratch, 'data')
      const { child, server, gateway } = await started(command, dataDir)
      signalAll([target === 'gateway' ? gateway : child.pid], signal)
      const code = await child.exited
      if (exitCode !== null) expect(code).toBe(exitCode)
      while (isAlive(gateway) || isServerOf(server, join(dataDir, 'postgres'))) await Bun.sleep(50)
    }
    if (isOutlived) return run()
    const ended = turn.then(run)
    turn = ended.catch(() => {})
    await ended
  },
)

it('`dev` starts anew when a file changes that it has loaded, and ends as `start` does', async () => {
  const dataDir = copyPreparedCluster(join(scratch, 'dev'))
  const plugins = join(scratch, 'plugins')
  mkdirSync(plugins)
  const write = (word: string): void =>
    writeFileSync(join(plugins, 'said.js'), `${SILENT}console.log('said ${word}')`)
  write('one')
  const child = Bun.spawn([process.execPath, 'run', 'dev'], {
    cwd: root,
    env: { ...environment(dataDir), PLUGINS_DIR: plugins },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  const decoder = new TextDecoder()
  const reading = (async () => {
    for await (const chunk of child.stdout) printed += decoder.decode(chunk, { stream: true })
  })()
  await vi.waitUntil(() => /said one[^]*listening on/.test(printed), PATIENT)
  write('two')
  await vi.waitUntil(() => /said two[^]*listening on/.test(printed), PATIENT)
  const server = serverPid(dataDir)
  signalAll([parentOf(server)], 'SIGTERM')
  expect(await child.exited).toBe(0)
  await reading
  expect(isServerOf(server, join(dataDir, 'postgres'))).toBe(false)
})

it('a gateway that cannot say that it runs stops its database before it ends', async () => {
  const dataDir = copyPreparedCluster(join(scratch, 'mute'))
  const command = [process.execPath, SOURCE_PROGRAM, 'start']
  const { child, server } = await started(command, dataDir)
  const url = socketUrl(join(dataDir, 'run'), SUPERUSER, 'coinop')
  const sql = createClient(url, { max: 1, applicationName: 'test' })
  await sql`TRUNCATE coinop.api_key CASCADE`
  // The first key of a sandbox is made when everything runs, for the lines that say so.
  await sql.unsafe(`
    CREATE FUNCTION coinop.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no keys today'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON coinop.api_key EXECUTE FUNCTION coinop.refuse()`)
  await sql.end()
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(isServerOf(server, join(dataDir, 'postgres'))).toBe(false)

  const mute = Bun.spawnSync(command, { cwd: root, env: environment(dataDir) })
  expect([mute.exitCode, mute.stderr.toString()]).toEqual([
    1,
    expect.stringContaining('no keys today'),
  ])
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})
