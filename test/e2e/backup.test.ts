/** A backup that is made while calls are charged is a gateway of its own, with exact books. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backUp } from '../../host/embedded-postgres/backup.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { silentLog } from '../support/log.ts'
import { program } from '../support/program.ts'
import { PATIENT } from '../support/patience.ts'

const root = resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'coinop-backup-'))
// mkdtemp makes it private; the server of root runs as another user.
chmodSync(scratch, 0o755)
const QUIET = { SANDBOX_CHAIN: 'false' }
let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway(QUIET)
})
afterAll(async () => {
  await gateway.stop()
  rmSync(scratch, { recursive: true, force: true })
})

async function coinop(env: Record<string, string>, ...words: string[]) {
  const child = Bun.spawn([...program(), ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

const hash = (of: GatewayProcess, key: string) =>
  of.call('POST', '/v1/paid/hash', { body: { input: 'x' }, headers: { 'x-api-key': key } })
const creditsOf = async (of: GatewayProcess, id: string): Promise<number> =>
  (await of.admin('GET', `/v1/keys/${id}`)).json.balance.credits

it('is made while calls go on, and a gateway on it has the books and the secrets of that moment', async () => {
  // Enough for as many calls as a quick gateway takes while a slow copy is made.
  const { id, key } = await gateway.key(1_000_000, { rpmLimit: 1_000_000, burstLimit: 10_000 })
  await hash(gateway, key)
  const before = await creditsOf(gateway, id)
  const done = new AbortController()
  const calling = Array.from({ length: 4 }, async () => {
    while (!done.signal.aborted) expect((await hash(gateway, key)).status).toBe(200)
  })
  const folder = join(scratch, 'copy')
  const made = await coinop({ DATA_DIR: gateway.dataDir }, 'backup', folder)
  done.abort()
  await Promise.all(calling)
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(made.out)).toMatchObject({ folder, files: expect.any(Number) })
  const after = await creditsOf(gateway, id)
  const secret = (dataDir: string) => readFileSync(join(dataDir, 'master-key'), 'utf8')
  expect(secret(folder)).toBe(secret(gateway.dataDir))
  expect(statSync(folder).mode & 0o066).toBe(0)

  const verified = await coinop({ DATA_DIR: folder }, 'ledger', 'verify')
  expect(JSON.parse(verified.out)).toMatchObject({ ok: true, violations: 0 })
  const restored = await startGateway(QUIET, { dataDir: folder })
  const credits = await creditsOf(restored, id)
  expect(credits).toBeLessThanOrEqual(before)
  expect(credits).toBeGreaterThanOrEqual(after)
  expect((await hash(restored, key)).headers.get('x-charged-credits')).toBe('2')
  expect(await restored.stop()).toBe(0)
})

it('has the charges that are still to be given back', async () => {
  const dataDir = join(scratch, 'owing')
  const owing = await startGateway(QUIET, { dataDir, keepDataDir: true })
  const { id, key } = await owing.key(10)
  const requestId = (await hash(owing, key)).headers.get('x-request-id')
  expect(await creditsOf(owing, id)).toBe(8)
  const { rows } = (await owing.admin('GET', `/v1/ledger?requestId=${requestId}`)).json
  const holdId = rows.find(({ kind }: { kind: string }) => kind === 'authorize').id
  await owing.stop()
  // As a gateway leaves it that was killed before it could give the charge back.
  const orders = [{ railId: 'credits', holdId, requestId, key: null }]
  mkdirSync(join(dataDir, 'give-backs'))
  writeFileSync(join(dataDir, 'give-backs', `${crypto.randomUUID()}.json`), JSON.stringify(orders))

  const folder = join(scratch, 'owed')
  expect(await coinop({ DATA_DIR: dataDir }, 'backup', folder)).toMatchObject({ code: 0, err: '' })
  const restored = await startGateway(QUIET, { dataDir: folder, keepDataDir: true })
  await expect.poll(() => creditsOf(restored, id), PATIENT).toBe(10)
  expect(await restored.stop()).toBe(0)
})

it('never writes over something, and says what it does not back up', async () => {
  const env = { DATA_DIR: gateway.dataDir }
  mkdirSync(join(scratch, 'left.partial'))
  const refused: [Record<string, string>, string[], string][] = [
    [env, [scratch], 'exists already'],
    [env, [join(scratch, 'left')], 'left from a backup that was broken off'],
    [env, [join(gateway.dataDir, 'inside')], 'lies inside DATA_DIR'],
    [{ DATA_DIR: join(scratch, 'nothing') }, [join(scratch, 'none')], 'no embedded database'],
    [
      { ...env, SANDBOX: 'true', DATABASE_URL: 'postgres://u@127.0.0.1:9/x' },
      [join(scratch, 'none')],
      'pg_dump',
    ],
    [env, [], 'Name the folder'],
  ]
  for (const [settings, words, said] of refused) {
    const answer = await coinop(settings, 'backup', ...words)
    expect([answer.code === 0, answer.err]).toEqual([false, expect.stringContaining(said)])
  }
  expect(existsSync(join(scratch, 'none'))).toBe(false)
  expect(existsSync(join(scratch, 'left.partial'))).toBe(true)
  expect(existsSync(join(gateway.dataDir, 'inside.partial'))).toBe(false)
})

it('leaves nothing when a signal breaks it off', async () => {
  const folder = join(scratch, 'broken-off')
  const making = backUp(gateway.dataDir, folder, silentLog, AbortSignal.abort('SIGTERM'))
  await expect(making).rejects.toBe('SIGTERM')
  expect([existsSync(folder), existsSync(`${folder}.partial`)]).toEqual([false, false])
})
