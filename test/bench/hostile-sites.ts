/**
 * Every page of the hostile site (test/support/hostile-site.ts) bought in every way of drawing it, and
 * a batch of a hundred sites of which half never answer: what each came to, what it cost and how long
 * it took. Ends with 1 when anything was charged without a result or ended otherwise than it may.
 *
 *   bun test/bench/hostile-sites.ts [/path …]
 */
import { closeServers } from '../integration/net/servers.ts'
import { startGateway } from '../support/gateway.ts'
import { addressesOf, HABITS, hostileSite } from '../support/hostile-site.ts'
import { visitAll, visitMany, WAYS, type Way, wrongOf } from '../e2e/hostile-run.ts'
import { formatTable } from './lib/table.ts'

const BATCH = 100

const site = await hostileSite()
const sites = addressesOf(site, BATCH)
const gateway = await startGateway({
  SANDBOX: 'true',
  SANDBOX_CHAIN: 'false',
  ALLOW_PRIVATE_TARGETS: sites.join(','),
})
const wanted = process.argv.slice(2)
const paths = Object.keys(HABITS).filter((path) => wanted.length === 0 || wanted.includes(path))
const ways = Object.keys(WAYS) as Way[]
const visits = paths.flatMap((path) => ways.map((way) => [path, way] as const))
const seen = await visitAll(gateway, sites, visits)
const wrongs = seen.map(wrongOf).filter((wrong) => wrong !== null)
const rows = seen.map(({ path, way, end, charged, tookMs }) => [
  path,
  way,
  end,
  String(charged),
  (tookMs / 1000).toFixed(1),
])
console.log(formatTable(['page', 'as', 'end', 'credits', 'seconds'], rows))

if (wanted.length === 0) {
  const { outcomes, charged, tookMs } = await visitMany(gateway, sites)
  const seconds = (tookMs / 1000).toFixed(0)
  console.log(`\nbatch of ${BATCH}: ${JSON.stringify(outcomes)}, ${charged} credits, ${seconds} s`)
  const results = outcomes['data'] ?? 0
  if (results !== BATCH / 2) wrongs.push(`batch: ${results} results of ${BATCH / 2} pages`)
  if (charged !== results * WAYS.extract.credits)
    wrongs.push(`batch: charged ${charged} credits for ${results} results`)
}
console.log(wrongs.length === 0 ? '\nNothing is wrong.' : `\nWRONG:\n${wrongs.join('\n')}`)
await gateway.stop()
await closeServers()
process.exit(wrongs.length === 0 ? 0 : 1)
