/**
 * What it costs to add up a payer's open claims (`openUnits`), which each stream that is paid at its
 * end does once or twice, while settled claims of that payer pile up: `bun test/bench/open-claims.ts
 * [claims ...]`. Settled claims are kept for ever. Counted are the pages that PostgreSQL reads, so the
 * ratios hold on a busy machine. A payer of most claims may be read by the index of all open claims, whose
 * number is that of the calls under way and not that of the kept claims.
 */
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import { Claims } from '../../plugins/x402/claims/claims.ts'
import { migrations } from '../../plugins/x402/migrations.ts'
import type { Settlements } from '../../kernel/index.ts'
import { benchDatabase } from './lib/database.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const sizes = process.argv.slice(2).map(Number)
if (sizes.length === 0) sizes.push(10, 1000, 100_000)
const PLACE = { network: 'eip155:8453', asset: '0xa', payer: '0xpayer' }
/** Calls under way, of this payer and of others. */
const OPEN = { own: 3, others: 2000 }

interface Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: Plan[]
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

const database = await benchDatabase()
await migratePlugin(database.db, 'x402', migrations)
const db = pluginDb(database.db, 'x402')
let statement: [text: string, parameters: readonly unknown[]] | null = null
const listening = {
  ...db,
  query: async (text: string, parameters: readonly unknown[] = []) => {
    statement = [text, parameters]
    return db.query(text, parameters)
  },
} as typeof db
const claims = new Claims(listening, { recording: () => '' } as unknown as Settlements)

await insert('settled', 'settled of others', 20_000, 'settled_payer_')
await insert('claimed', 'claimed by others', OPEN.others, 'payer_')
await insert('claimed', 'claimed', OPEN.own, null)
const rows: string[][] = []
let kept = 0
let firstPages: number | null = null
for (const size of sizes) {
  await insert('settled', 'settled', size - kept, null, kept)
  kept = size
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await database.db.sql`VACUUM ANALYZE plugin_x402.x402_claim`
    const sum = await claims.openUnits({ id: Bun.randomUUIDv7(), ...PLACE, nonce: 'new' })
    if (sum !== BigInt(OPEN.own) * 10_000n) throw new Error(`${sum} units are open`)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const { pages, indexes } = await explained(mode)
      firstPages ??= pages
      rows.push([
        String(size),
        isAnalyzed ? 'fresh' : 'old',
        mode.split('_')[1]!,
        indexes,
        String(pages),
        formatNumber(pages / firstPages),
      ])
    }
  }
}
const head = ['settled claims', 'statistics', 'plan', 'by', 'pages', 'of the first']
process.stdout.write(`PostgreSQL ${database.version}\n${formatTable(head, rows)}\n`)
await database.close()

/** Pages that the statement read, and by which index. */
async function explained(mode: string): Promise<{ pages: number; indexes: string }> {
  const [text, parameters] = statement!
  const plan = await db.transaction(async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`)
    const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      parameters,
    )
    return row!['QUERY PLAN'][0].Plan
  })
  return {
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: indexesOf(plan).join(', ') || 'the whole table',
  }
}

function indexesOf({ 'Index Name': name, Plans = [] }: Plan): string[] {
  return [...(name === undefined ? [] : [name]), ...Plans.flatMap(indexesOf)]
}

/** So many claims of the payer, or each of a payer of its own. */
async function insert(
  state: string,
  nonce: string,
  count: number,
  payers: string | null,
  from = 0,
): Promise<void> {
  await db.query(
    `INSERT INTO x402_claim (id, network, asset, payer, nonce, state, fingerprint, request_id, skill_id,
       path, amount, units, price_version, payment, valid_before, lease_until, transaction, ledger_id)
     SELECT gen_random_uuid(), $1, $2, COALESCE($4::text || i, $3), $5 || i, $6::text,
       md5(i::text), gen_random_uuid()::text, 'demo.echo', '/v1/paid/echo', 10000, 10000, 1,
       jsonb_build_object('signature', repeat(md5(i::text), 16)),
       extract(epoch FROM now())::bigint + 300,
       now() + CASE $6::text WHEN 'settled' THEN interval '-1 hour' ELSE interval '1 hour' END,
       CASE $6::text WHEN 'settled' THEN md5(i::text) END, CASE $6::text WHEN 'settled' THEN md5(i::text) END
     FROM generate_series($7::int, $7::int + $8::int - 1) AS i`,
    [PLACE.network, PLACE.asset, PLACE.payer, payers, `${nonce} `, state, from, count],
  )
}
