/**
 * `npm run planted`: plants one bug after the other in a copy of the sources and shows that the short
 * suite finds each. `npm run planted -- --only NAME` plants one. Exit code 1: a bug was not found, or
 * a check fails on sources without one.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface Check {
  name: string
  command: readonly string[]
}
interface Plant {
  name: string
  /** Absent: the check itself brings the fault. */
  patch?: { file: string; from: string; to: string }
  check: Check
  /** A text that its output must have: the rule or test that is to find it. */
  finds: string
}

const root = resolve(import.meta.dirname, '../..')
const bun = process.execPath
const vitest = (...files: string[]): readonly string[] => [bun, 'test/support/run.ts', ...files]
const simulate: Check = {
  name: 'simulator',
  command: [bun, 'test/simulator/run.ts', '--histories', '1500', '--all'],
}

const PLANTS: readonly Plant[] = [
  {
    name: 'double capture (statement)',
    patch: {
      file: 'kernel/ledger/sql/fragments.ts',
      from: "export const IS_OPEN = `h.state::text = 'authorized'`",
      to: "export const IS_OPEN = `h.state::text IN ('authorized', 'captured')`",
    },
    check: { name: 'ledger model', command: vitest('test/property/ledger.test.ts') },
    finds: 'every result is the predicted one',
  },
  {
    name: 'double capture (one key, two calls)',
    patch: {
      file: 'kernel/metering/idempotency.ts',
      from: "if (state === 'open') return { outcome: 'in_flight' }",
      to: "if (state === 'open') return null",
    },
    check: simulate,
    finds: 'BROKEN acknowledged once',
  },
  {
    name: 'lost release',
    patch: {
      file: 'kernel/metering/payment.ts',
      from: "if (plan.kind === 'held') await rail.release(plan.authorization, result.code)",
      to: '',
    },
    check: simulate,
    finds: 'BROKEN released at once',
  },
  {
    name: 'claim after work',
    patch: {
      file: 'kernel/metering/meter.ts',
      from: `const plan = await this.#payments.plan(progress, rail, read)
      if (plan.kind === 'ended') return plan.outcome
      progress.workStartedMs = performance.now()
      const result = await runSkill(mounted, read, this.#skillCall(progress, plan))`,
      to: `const early: Plan = { kind: 'free' }
      progress.workStartedMs = performance.now()
      const result = await runSkill(mounted, read, this.#skillCall(progress, early))
      const plan = await this.#payments.plan(progress, rail, read)
      if (plan.kind === 'ended') return plan.outcome`,
    },
    check: simulate,
    finds: 'BROKEN paid before work',
  },
  {
    name: 'missing fsync (storage says too early that it has written)',
    check: { ...simulate, command: [...simulate.command, '--unsafe-ms', '2000'] },
    finds: 'BROKEN acknowledged once',
  },
  {
    name: 'missing fsync (setting of the embedded PostgreSQL)',
    patch: { file: 'embedded-postgres/server.ts', from: "fsync: 'on'", to: "fsync: 'off'" },
    check: { name: 'storage', command: vitest('test/e2e/storage-lifecycle.test.ts') },
    finds: 'fsync',
  },
  {
    name: 'unbounded retry',
    patch: {
      file: 'kernel/work/retry.ts',
      from: 'if (performance.now() + pauseMs - startedAtMs > PATIENCE_MS) throw ledgerUnavailable(error)',
      to: '',
    },
    check: simulate,
    finds: 'BROKEN answered in time',
  },
  {
    name: 'leaked hold',
    patch: {
      file: 'kernel/ledger/sweeper.ts',
      from: 'count = await ledger.expireDue(BATCH)',
      to: 'count = BATCH - 1',
    },
    check: simulate,
    finds: 'BROKEN nothing stays held',
  },
  {
    name: 'stale cache (idempotency rows)',
    patch: {
      file: 'kernel/metering/idempotency.ts',
      from: `    return rows[0]
  }`,
      to: `    const known = this.#cached.get(scope + key) ?? rows[0]
    if (known) this.#cached.set(scope + key, known)
    return known
  }
  readonly #cached = new Map<string, Row>()`,
    },
    check: simulate,
    finds: 'BROKEN unknown resolves',
  },
  {
    name: 'stale cache (revoked keys)',
    patch: {
      file: 'kernel/auth/key-rows.ts',
      from: 'if (ageMs >= ROW_AGE_MAX_MS) return this.#refresh(id)',
      to: '',
    },
    check: { name: 'key rows', command: vitest('test/unit/auth/fresh-cache.test.ts') },
    finds: 'never serves a row that is a second old',
  },
  {
    name: 'cross-tenant read (answers by Idempotency-Key)',
    patch: {
      file: 'kernel/metering/payment.ts',
      from: '`${payer ?? rail.id} ${skill.id}`',
      to: '`${rail.id} ${skill.id}`',
    },
    check: simulate,
    finds: 'BROKEN own answer',
  },
]

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const onlyAt = process.argv.indexOf('--only')
const only = onlyAt < 0 ? null : (process.argv[onlyAt + 1] ?? '')
const plants = PLANTS.filter(({ name }) => only === null || name.includes(only))
const copy = copySources()
let isGood = plants.length > 0
try {
  const checks = new Map(
    plants.filter(({ patch }) => patch).map(({ check }) => [check.name, check]),
  )
  for (const check of checks.values()) {
    const clean = run(check)
    if (clean.status === 0) continue
    isGood = false
    say(`${check.name} fails without a planted bug:\n${clean.output.slice(-3000)}`)
  }
  for (const plant of plants) {
    const undo = plant.patch ? apply(plant.patch) : () => {}
    const { status, output } = run(plant.check)
    undo()
    const isFound = status !== 0 && output.includes(plant.finds)
    isGood &&= isFound
    const line = output.split('\n').find((text) => text.includes(plant.finds)) ?? 'nothing'
    say(
      `${isFound ? 'FOUND' : 'MISSED'} ${plant.name}: ${plant.check.name}: ${line.trim().slice(0, 140)}`,
    )
    if (!isFound) say(output.slice(-1500))
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)

/** A copy of all that is tracked or would be, with the packages of the original. */
function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-planted-'))
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.stdout.split('\n').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Plants it; returns what takes it out again. */
function apply({ file, from, to }: NonNullable<Plant['patch']>): () => void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  return () => writeFileSync(path, text)
}

function run({ command: [program, ...rest] }: Check): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program!, rest, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    timeout: 600_000,
  })
  return { status, output: `${stdout}\n${stderr}` }
}
