/**
 * `npm run fuzz`: fuzzes every operation of /openapi.json on a gateway of its own. --minutes N goes on
 * so long (default: one round), --seed N begins at that seed, --runs N requests an operation and round,
 * --pages the pages and what is behind their sessions instead of the document's operations,
 * --sequences N so many sequences of 40 steps beside a model instead, on two gateways of which one is
 * killed now and then (sequences.ts).
 * Exit code 1: something was found; the request that shows it is printed.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPostgres } from '../../host/embedded-postgres/index.ts'
import { silentLog } from '../support/log.ts'
import { Fuzzer } from './fuzzer.ts'
import { openShop, runSequences } from './sequences.ts'
import type { SequencesReport } from './sequences/world.ts'

const given = process.argv.slice(2)
const numberOf = (name: string): number | null => {
  const at = given.indexOf(`--${name}`)
  return at < 0 ? null : Number(given[at + 1])
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const minutes = numberOf('minutes')
const runs = numberOf('runs') ?? 20
const firstSeed = numberOf('seed') ?? 20_261_121
const histories = numberOf('sequences')
const untilMs = Date.now() + (minutes ?? 0) * 60_000

if (histories !== null) {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-sequences-'))
  chmodSync(dataDir, 0o755)
  const place = { dataDir, role: 'gateway', sandbox: true, log: silentLog } as const
  const server = await embeddedPostgres.open(place)
  let report: SequencesReport
  try {
    const shop = await openShop(server.url)
    report = await runSequences(shop, { seed: firstSeed, histories, steps: 40 }).finally(() =>
      shop.close(),
    )
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (const finding of report.findings) say(`FOUND ${finding}`)
  const { findings, steps, calls, kinds, accepted, deaths, lost } = report
  say(`steps ${JSON.stringify(kinds)}`)
  say(`no refusals ${JSON.stringify(accepted)}`)
  say(`${deaths} gateways killed, ${lost} requests under way in them`)
  say(`${steps} steps, ${calls} answers: ${findings.length} findings`)
  process.exit(findings.length > 0 ? 1 : 0)
}

const { fuzzer, gateway } = await Fuzzer.start(
  {
    SANDBOX_CHAIN: given.includes('--chain') ? 'true' : 'false',
    ...(given.includes('--pages') && { MCP_OAUTH: 'true' }),
  },
  { isOfPages: given.includes('--pages') },
)
try {
  for (let seed = firstSeed; ; seed++) {
    await fuzzer.round(seed, runs, () => minutes !== null && Date.now() > untilMs)
    if (minutes === null || Date.now() > untilMs) break
  }
} finally {
  await gateway.stop()
}
const { findings, requests, statuses } = fuzzer.report()
for (const { operation, problem, request, answer } of findings)
  say(`FOUND ${operation}: ${problem}\n  ${request}\n  ${answer}`)
say(`${requests} requests, ${JSON.stringify(statuses)}: ${findings.length} findings`)
process.exit(findings.length > 0 ? 1 : 0)
