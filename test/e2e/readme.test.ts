/**
 * README's first five minutes, as they stand there: the shell blocks from "Start" to the proof of the
 * ledger, run against a real start. Only what installs from a registry is left out, and says so.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/x402/gateways.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { skipPart } from '../support/skips.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const start = readme.slice(readme.indexOf('## Start'), readme.indexOf('## How a call is paid'))

interface Block {
  kind: string
  text: string
}
const blocks: Block[] = [...start.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, kind, text]) => ({ kind: kind!, text: text! }),
)
const lines = blocks
  .filter(({ kind }) => kind === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))
/** The answer that README shows below the block that has this. */
const shownAfter = (part: string): string =>
  blocks[blocks.findIndex(({ text }) => text.includes(part)) + 1]!.text
const lineWith = (part: string): string => {
  const found = lines.filter((line) => line.includes(part))
  expect(found, `lines of README with ${part}`).toHaveLength(1)
  return found[0]!
}

const INSTALLS = /npm (?:install|ci)\b/
skipPart(
  'README blocks that install from a registry',
  lines.filter((line) => INSTALLS.test(line)).join('; '),
)

describe('README, from start to proof', () => {
  let folder: string
  let port: number
  let gateway: GatewayProcess
  let key: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coinop-readme-'))
    port = await freePort()
    gateway = await startGateway(
      { PORT: String(port), PUBLIC_URL: '', DATA_DIR: join(folder, '.coinop'), ADMIN_TOKEN: '' },
      { cwd: root, dataDir: join(folder, '.coinop') },
    )
    // What a start prints may come in parts; this is near its end.
    await until(() => /"mcpServers".*\n/.test(gateway.output()))
    key = /ck_test_\w+/.exec(gateway.output())![0]
  })
  afterAll(async () => {
    await gateway?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a line of README with this gateway's address and key in the place of those that it shows. */
  async function run(
    line: string,
    cwd = root,
  ): Promise<{ code: number; stdout: string; told: string }> {
    const text = line
      .replaceAll('127.0.0.1:4020', `127.0.0.1:${port}`)
      .replaceAll('ck_test_…', key)
      .replaceAll('npx coinop', `'${process.execPath}' '${join(root, 'bin/main.ts')}'`)
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      DATA_DIR: join(folder, '.coinop'),
      LOG_LEVEL: 'silent',
    }
    const child = Bun.spawn(['sh', '-c', text], { cwd, env, stdout: 'pipe', stderr: 'pipe' })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, stdout, told: stdout + stderr }
  }

  it('the start prints what README shows', () => {
    const shown = blocks.find(({ text }) => text.startsWith('coinop listening'))!.text
    // What is counted or made anew differs; every label stands there.
    const labels = [...shown.matchAll(/^[├└]─ \S+?:4020(\/\S*)\s+(.+)$/gm)]
    expect(labels.length).toBeGreaterThanOrEqual(8)
    const printed = gateway.output()
    for (const [, path, label] of labels)
      expect(printed).toMatch(
        new RegExp(
          `:${port}${path!.replaceAll(/[.]/g, '\\.')} +${label!.replaceAll(/\d+/g, '\\d+')}`,
        ),
      )
    const host = JSON.parse(/^ {2}(\{"mcpServers".*)$/m.exec(printed)![1]!)
    expect(host.mcpServers.coinop).toEqual({
      type: 'http',
      url: `${gateway.url}/mcp?names=underscore`,
      headers: { 'X-Api-Key': key },
    })
    for (const title of shown.match(/^(?:admin token|test wallet|test key)[^(]*/gm) ?? [])
      expect(printed).toContain(title.trim().split(' with')[0])
  })

  it('the first paid call answers as shown, then the ledger proves itself', async () => {
    const call = await run(lineWith('/v1/paid/hash'))
    expect(call.code, call.told).toBe(0)
    const [shownHead, shownBody] = shownAfter('/v1/paid/hash').trim().split('\n\n')
    const [head, body] = call.stdout.replaceAll('\r', '').split('\n\n')
    expect(body).toBe(shownBody)
    expect(head!.split('\n')[0]).toBe(shownHead!.split('\n')[0])
    const valueOf = (of: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(of)?.[1]
    for (const [, name] of shownHead!.matchAll(/^([\w-]+): /gm))
      expect([name, valueOf(head!, name!)]).not.toEqual([name, undefined])
    for (const name of ['x-charged-credits', 'x-balance-credits', 'x-payment-rail'])
      expect([name, valueOf(head!, name)]).toEqual([name, valueOf(shownHead!, name)])
    const proof = await run(lineWith('ledger verify'))
    expect(proof.code, proof.told).toBe(0)
    const shown = JSON.parse(shownAfter('ledger verify')) as Record<string, unknown>
    expect(JSON.parse(proof.stdout)).toMatchObject(shown)
  })

  it('an operator’s folder is made, a plugin in it, and an API imported', async () => {
    const own = join(folder, 'own')
    cpSync(join(root, 'specs/openapi.json'), join(own, 'openapi.yaml'))
    symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'))
    const init = await run(lineWith('coinop init'), own)
    expect(init.code, init.told).toBe(0)
    const plugin = await run(lineWith('plugin new'), own)
    expect(plugin.code, plugin.told).toBe(0)
    // Ours has operations by the dozen: one tag of them is enough.
    const imported = await run(
      lineWith('product import').replace('--write', '--only Prices --id ours --write'),
      own,
    )
    expect(imported.code, imported.told).toBe(0)
  })
})
