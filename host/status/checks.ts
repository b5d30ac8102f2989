/** What is checked for /ready: the database, the products, and what each mounted plugin checks of itself. */
import type { Health } from '#kernel'
import { pendingMigrations, type Database, type ProductRegistry } from '#kernel/host'

/** The checks of what is mounted now. */
export function checksOf(db: Database, registry: ProductRegistry): Health[] {
  const products = [...registry.current().products.values()]
  return [
    ...databaseChecks(db),
    registry.health(),
    ...products.flatMap(({ parts }) => parts.started.instance.health ?? []),
  ]
}

/** Names of the checks of products that are not for everybody. */
export function hiddenChecks(registry: ProductRegistry): ReadonlySet<string> {
  const hidden = [...registry.current().products.values()].filter(
    ({ parts }) => parts.spec.visibility !== 'public',
  )
  const checks = hidden.flatMap(({ parts }) => parts.started.instance.health ?? [])
  return new Set(checks.map(({ name }) => name))
}

function databaseChecks(db: Database): Health[] {
  return [
    {
      name: 'database',
      critical: true,
      timeoutMs: 2000,
      probe: async () => {
        await db.sql`SELECT 1`
        return { state: 'ok', detail: db.kind }
      },
    },
    {
      name: 'migrations',
      critical: true,
      timeoutMs: 2000,
      probe: async () => {
        const pending = await pendingMigrations(db.sql)
        return pending.length === 0
          ? { state: 'ok' }
          : { state: 'down', detail: `missing: ${pending.join(', ')}` }
      },
    },
  ]
}
