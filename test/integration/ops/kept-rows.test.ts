/** specs/operations.md says of every table how long its rows stay. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import { startGateway } from '../../support/gateway.ts'

it('every table of a gateway with all its products is in the list of what is kept', async () => {
  const database = await testDatabase()
  const env = { DATABASE_URL: database.url, SANDBOX: 'true', MCP_OAUTH: 'true' }
  const gateway = await startGateway(env)
  try {
    const rows = await database.db.sql<{ schema: string; name: string }[]>`
      SELECT schemaname AS schema, relname AS name FROM pg_stat_user_tables`
    const text = readFileSync(resolve(import.meta.dirname, '../../../specs/operations.md'), 'utf8')
    const section = /## What is kept[\s\S]*?\n\n[^|]/.exec(text)![0]
    // A row names a schema once, and the tables after it by their names.
    const named = new Set<string>()
    let schema = ''
    for (const [, inSchema, table] of section.matchAll(/`(?:(coinop|plugin_\w+)\.)?(\w+)`/g)) {
      schema = inSchema ?? schema
      named.add(`${schema}.${table}`)
    }
    const tables = rows
      .map(({ schema, name }) => `${schema}.${name}`)
      .filter((name) => !/\.(applied_)?migration$/.test(name))
    expect(tables.length).toBeGreaterThan(50)
    expect(tables.filter((name) => !named.has(name))).toEqual([])
  } finally {
    await gateway.stop()
    await database.close()
  }
})
