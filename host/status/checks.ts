/** What is checked for /ready: the database, the products, and what each mounted plugin checks of itself. */
import type { Health, ProductProblem } from '#kernel'
import {
  codeOf,
  databaseClock,
  formatProductProblem,
  pendingMigrations,
  type Database,
  type ProductRegistry,
} from '#kernel/host'
import { explained } from '../database/server-errors.ts'
import { clockCheck } from './clock-check.ts'
import { diskCheck } from './disk-check.ts'

/** The checks of what is mounted now. */
export function checksOf(db: Database, registry: ProductRegistry): Health[] {
  const products = [...registry.current().products.values()]
  return [
    ...databaseChecks(db),
    saidOf(db, clockCheck(databaseClock(db.sql))),
    // Another server's disk is not this machine's.
    ...(db.kind === 'embedded' ? [saidOf(db, diskCheck(db.sql))] : []),
    productsCheck(registry),
    ...products
      .flatMap(({ parts }) => parts.started.instance.health ?? [])
      .map((check) => saidOf(db, check, isOfDatabase)),
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
  const checks: Health[] = [
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
  return checks.map((check) => saidOf(db, check))
}

/** The same check, whose rejection says what it means where it `isDatabases`. */
function saidOf(
  { kind }: Pick<Database, 'kind'>,
  check: Health,
  isDatabases: (error: unknown) => boolean = () => true,
): Health {
  const { name, critical, timeoutMs } = check
  const probe: Health['probe'] = async (signal) => {
    try {
      return await check.probe(signal)
    } catch (error) {
      throw (isDatabases(error) ? explained(error, kind) : null) ?? error
    }
  }
  return { name, critical, timeoutMs, probe }
}

/** Whether only a database reports this; `ECONNREFUSED` may be that of whatever a plugin asks. */
function isOfDatabase(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'PostgresError' || /^CONNECT(?:ION)?_/.test(codeOf(error)))
  )
}

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
