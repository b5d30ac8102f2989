/** What is checked for /ready: the database, the products, and what each mounted plugin checks of itself. */
import type { Health, ProductProblem } from '#kernel'
import {
  databaseClock,
  formatProductProblem,
  pendingMigrations,
  type Database,
  type ProductRegistry,
} from '#kernel/host'
import { explained } from '../database/server-errors.ts'
import { clockCheck } from './clock-check.ts'

/** The checks of what is mounted now. */
export function checksOf(db: Database, registry: ProductRegistry): Health[] {
  const products = [...registry.current().products.values()]
  return [
    ...databaseChecks(db),
    clockCheck(databaseClock(db.sql)),
    productsCheck(registry),
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
      probe: inWords(db, async () => {
        await db.sql`SELECT 1`
        return { state: 'ok', detail: db.kind }
      }),
    },
    {
      name: 'migrations',
      critical: true,
      timeoutMs: 2000,
      probe: inWords(db, async () => {
        const pending = await pendingMigrations(db.sql)
        return pending.length === 0
          ? { state: 'ok' }
          : { state: 'down', detail: `missing: ${pending.join(', ')}` }
      }),
    },
  ]
}

/** The same, whose rejection says what it means where the database refuses. */
const inWords =
  ({ kind }: Pick<Database, 'kind'>, probe: Health['probe']): Health['probe'] =>
  (signal) =>
    Promise.resolve(probe(signal)).catch((error: unknown) => {
      throw explained(error, kind) ?? error
    })

/** Problems degrade it, since the last good revisions serve. */
export function productsCheck(registry: Pick<ProductRegistry, 'current' | 'problems'>): Health {
  return {
    name: 'products',
    critical: false,
    timeoutMs: 1000,
    probe: async () => {
      const problems = registry.problems()
      const first = problems[0] && formatProductProblem(withoutGot(problems[0]))[0]
      if (!first) return { state: 'ok', detail: `${registry.current().products.size} mounted` }
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
      return { state: 'degraded', detail: `${first}${more}` }
    },
  }
}

/** Without the values that are wrong, any of which may be a secret: monitoring reads of it. */
function withoutGot(problem: ProductProblem): ProductProblem {
  return { ...problem, problems: problem.problems.map(({ got: _got, ...rest }) => rest) }
}
