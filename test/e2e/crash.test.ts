/**
 * kill -9 under load, again and again: after each restart the books balance and nothing that was
 * acknowledged is missing.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { randomFrom } from '../simulator/random.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { program } from '../support/program.ts'

const root = resolve(import.meta.dirname, '../..')
const ROUNDS = 4
const CALLERS = 16
const random = randomFrom(20_261_130)

interface Acknowledged {
  charged: Set<string>
  granted: number
}

/** Pays calls and tops up until the gateway dies; remembers what was acknowledged. */
async function load(
  gateway: GatewayProcess,
  id: string,
  key: string,
  round: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const caller = async (caller: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const requestId = `${round}.${caller}.${i}`
      try {
        const answer = await gateway.call('POST', '/v1/paid/hash', {
          body: { input: requestId },
          headers: { 'x-api-key': key, 'x-request-id': requestId },
        })
        if (answer.status === 200) acknowledged.charged.add(requestId)
        if (caller === 0 && i % 10 === 0) {
          const granted = await gateway.admin('POST', '/v1/sandbox/topup', {
            apiKeyId: id,
            amount: 50,
            provider: 'sandbox',
          })
          if (granted.status < 300) acknowledged.granted += 50
        }
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(i)))
}

function postgresPid(dataDir: string): number {
  const found = new Bun.Glob('**/postmaster.pid').scanSync({ cwd: dataDir, dot: true })
  for (const name of found) return Number(readFileSync(join(dataDir, name), 'utf8').split('\n')[0])
  throw new Error('no postmaster.pid')
}

it('keeps every acknowledged charge and top-up through kill -9 of the gateway and of PostgreSQL', async () => {
  const dataDir = copyPreparedCluster(mkdtempSync(join(tmpdir(), 'coinop-crash-')))
  const acknowledged: Acknowledged = { charged: new Set(), granted: 0 }
  const env = { HOLD_TTL: '1s', RATE_LIMIT_RPM: '1000000', RATE_LIMIT_BURST: '100000' }
  let gateway = await startGateway(env, { dataDir, keepDataDir: true })
  const { id, key } = await gateway.key(1000)
  acknowledged.granted = 1000
  for (let round = 0; round < ROUNDS; round++) {
    const loading = load(gateway, id, key, round, acknowledged)
    const before = acknowledged.charged.size
    await Bun.sleep(700 + random.below(300))
    // However slow the machine is, there was something to lose.
    while (acknowledged.charged.size < before + 20) await Bun.sleep(20)
    if (round % 2 === 1) process.kill(postgresPid(dataDir), 'SIGKILL')
    await gateway.kill()
    await loading
    gateway = await startGateway(env, { dataDir, keepDataDir: true })

    const verified = Bun.spawnSync([...program(), 'ledger', 'verify'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, LOG_FORMAT: 'json' },
    })
    expect(verified.exitCode, verified.stdout.toString() + verified.stderr.toString()).toBe(0)
    const captured = await capturedRequests(gateway, id)
    const lost = [...acknowledged.charged].filter((requestId) => !captured.has(requestId))
    expect(lost).toEqual([])
  }
  expect(acknowledged.charged.size).toBeGreaterThan(50)
  await expect
    .poll(async () => (await gateway.admin('GET', `/v1/keys/${id}`)).json.balance.heldCredits, {
      ...PATIENT,
      interval: 500,
    })
    .toBe(0)
  await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function capturedRequests(gateway: GatewayProcess, id: string): Promise<Set<string>> {
  const captured = new Set<string>()
  let before = ''
  for (;;) {
    const page = await gateway.admin(
      'GET',
      `/v1/ledger?apiKeyId=${id}&kind=capture&limit=500${before}`,
    )
    for (const row of page.json.rows) captured.add(row.requestId)
    if (page.json.rows.length < 500) return captured
    before = `&before=${page.json.rows.at(-1).id}`
  }
}
