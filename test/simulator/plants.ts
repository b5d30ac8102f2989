/** The bugs that `npm run planted` plants, each with the check that is to find it. */

export interface Check {
  name: string
  command: readonly string[]
}
/** What the bugs do; `npm run planted` must have one of each, and there may be more. */
export const KINDS = [
  'double capture',
  'lost release',
  'claim after work',
  'missing fsync',
  'unbounded retry',
  'leaked hold',
  'stale cache',
  'cross-tenant read',
] as const
export interface Plant {
  /** Begins with the kind of the bug. */
  name: string
  /** Absent: the check itself brings the fault. */
  patch?: { file: string; from: string; to: string }
  check: Check
  /** Texts of which its output must have one: the rules or tests that are to find it. */
  finds: string | readonly string[]
}

const bun = process.execPath
const vitest = (...files: string[]): readonly string[] => [bun, 'test/support/run.ts', ...files]
const simulate: Check = {
  name: 'simulator',
  command: [bun, 'test/simulator/run.ts', '--histories', '1500', '--all'],
}
const streams: Check = {
  name: 'simulator of streams',
  command: [bun, 'test/simulator/run.ts', '--streams', '--histories', '1500', '--all'],
}
/** Histories in which most charges must be given back: each of these bugs shows in several. */
const lostCaptures: Check = {
  name: 'simulator of lost captures',
  command: [bun, 'test/simulator/run.ts', '--lost-captures', '--histories', '600', '--all'],
}
const topups: Check = { name: 'top-up histories', command: vitest('test/simulator/topups.test.ts') }
const plans: Check = { name: 'plan histories', command: vitest('test/simulator/plans.test.ts') }
const relay: Check = { name: 'relay histories', command: vitest('test/simulator/relay.test.ts') }
const sequences: Check = {
  name: 'sequences beside a model',
  command: [bun, 'test/fuzz/run.ts', '--sequences', '40', '--seed', '1000'],
}
const shortSequences: Check = {
  name: 'sequences of every run of the tests',
  command: vitest('test/fuzz/fuzz.test.ts', '-t', 'sequences'),
}
/** Callers of a load over gateways that are killed. */
const killed = (load: string, name: string): Check => ({
  name: `${load} of killed gateways`,
  command: [bun, 'test/chaos/faults/run.ts', '--short', '--strict', '--seed', '1', name],
})
const customers = killed('customers', 'customers-of-three')

export const PLANTS: readonly Plant[] = [
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
    name: 'double capture (webhook, by whoever lost its lease)',
    patch: {
      file: 'plugins/webinfra/store/queue.ts',
      from: `rail = $8::text, hold_id = $9::uuid, ended_at = $10::timestamptz
  WHERE id = $1 AND lease_token = $2 AND state = 'in_flight' RETURNING`,
      to: `rail = $8::text, hold_id = $9::uuid, ended_at = $10::timestamptz
  WHERE id = $1 AND $2::integer IS NOT NULL RETURNING`,
    },
    // The relay's histories find it too, when two workers happen to meet: in every second run.
    check: {
      name: 'lost leases',
      command: vitest('test/integration/plugins/webinfra/forwards.test.ts', '-t', 'lost its lease'),
    },
    finds: 'a worker that lost its lease changes nothing',
  },
  {
    name: 'double capture (a key that is free before its charge was given back)',
    patch: {
      file: 'kernel/metering/give-backs.ts',
      from: 'const isGivenBack = await begin(async () => {',
      to: `if (claim) await idempotency.free(claim)
    const isGivenBack = await begin(async () => {`,
    },
    check: lostCaptures,
    finds: 'BROKEN acknowledged once',
  },
  {
    name: 'lost charge (given back after a retry had the answer)',
    patch: {
      file: 'kernel/metering/give-backs.ts',
      from: 'isPaidFor = claim !== null && !(await idempotency.withdraw(claim))',
      to: 'if (claim) await idempotency.withdraw(claim)',
    },
    check: lostCaptures,
    finds: 'BROKEN acknowledged once',
  },
  {
    name: 'lost release (a promise that dies with its gateway)',
    patch: {
      file: 'kernel/metering/give-backs.ts',
      from: 'const keeping = this.#keep(order)',
      to: 'const keeping = Promise.resolve({ order, forget: async () => {} })',
    },
    check: lostCaptures,
    finds: 'BROKEN given back as said',
  },
  {
    name: 'lost release',
    patch: {
      file: 'kernel/metering/payment.ts',
      from: "plan.kind === 'self_billed' || (await this.#steps.release(progress, plan, reason))",
      to: 'true',
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
      this.#running.add(resolve)
      runSkill(mounted, read, this.#skillCall(progress, plan)).then(resolve, reject)`,
      to: `const early: Plan = { kind: 'free' }
      progress.workStartedMs = performance.now()
      runSkill(mounted, read, this.#skillCall(progress, early)).then(resolve, reject)
      await promise
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
    patch: { file: 'host/embedded-postgres/server.ts', from: "fsync: 'on'", to: "fsync: 'off'" },
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
    name: 'unbounded retry (webhooks)',
    patch: {
      file: 'plugins/webinfra/schedule.ts',
      from: 'if (made >= plan.maxAttempts) return null',
      to: 'if (made > plan.maxAttempts) return null',
    },
    check: relay,
    finds: ': its schedule',
  },
  {
    name: 'charged for what was not seen (streams)',
    patch: {
      file: 'kernel/metering/stream-charge.ts',
      from: "const missing = end === 'broken' ? 'base' : mounted.price.missing\n    const due = measuredDue({ ...mounted.price, missing }, measured, authorization.amountAtomic)",
      to: "const missing = end === 'broken' ? 'base' : mounted.price.missing\n    const due = measuredDue({ ...mounted.price, missing, baseAtomic: authorization.amountAtomic }, measured, authorization.amountAtomic)",
    },
    check: streams,
    finds: 'BROKEN charged by what was seen',
  },
  {
    name: 'charged for what was not seen (a stream that broke off before its units)',
    patch: {
      file: 'kernel/metering/stream-charge.ts',
      from: "const missing = end === 'broken' ? 'base' : mounted.price.missing",
      to: 'const { missing } = mounted.price',
    },
    check: streams,
    finds: 'BROKEN charged by what was seen',
  },
  {
    name: 'charged for what was not seen (units of an answer)',
    patch: {
      file: 'kernel/metering/due.ts',
      from: 'if (!isMeasured) return flatDue(price, authorizedAtomic)\n  const source',
      to: "if (!isMeasured || typeof bill === 'object') return flatDue(price, authorizedAtomic)\n  const source",
    },
    check: simulate,
    finds: 'BROKEN charged by what was seen',
  },
  {
    name: 'leaked hold',
    patch: {
      file: 'kernel/ledger/sweeper.ts',
      from: '(limit) => ledger.expireDue(limit)',
      to: 'async (limit) => limit - 1',
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
  {
    name: 'cross-tenant read (lists)',
    patch: {
      file: 'host/reporting/ledger-rows.ts',
      from: 'filter.keyId === undefined ? undefined : eq(entry.keyId, filter.keyId),',
      to: '',
    },
    check: { name: 'tenants', command: vitest('test/attacks/tenants.test.ts') },
    finds: 'lists and cursors of the second',
  },
  {
    name: 'an address that was not checked (a name is looked up again before the connection)',
    patch: {
      file: 'host/outbound/connect.ts',
      from: 'const addresses = target.addresses.slice(0, MAX_ATTEMPTS)',
      to: `const { lookup } = await import('node:dns/promises')
  const addresses = (await lookup(target.host, { all: true })) as PinnedAddress[]`,
    },
    check: { name: 'rebinding', command: vitest('test/attacks/rebinding.test.ts') },
    finds: 'follows no name to this machine',
  },
  {
    name: 'credits for what nobody paid (top-ups)',
    patch: {
      file: 'plugins/topup/crediting.ts',
      from: 'if (wrong) return flag(deps, provider.id, reference, wrong.reason, wrong.detail)',
      to: '',
    },
    check: topups,
    finds: 'is credited once, if it was paid',
  },
  {
    name: 'double credit (a callback that comes twice)',
    patch: {
      file: 'plugins/topup/crediting.ts',
      from: `credited_at IS NULL
       AND NOT EXISTS (SELECT FROM intent other WHERE other.provider = intent.provider AND other.charge_id = $2)
       RETURNING 1\`,
        [reference, paid.chargeId],
      )
      if (marked.length === 0) return null
      const credited = await deps.funds.credit(
        {
          keyId,
          amountAtomic,
          source: \`topup:\${provider}\`,
          reference: \`\${provider}:\${reference}\`,`,
      to: `true RETURNING 1\`,
        [reference, paid.chargeId],
      )
      if (marked.length === 0) return null
      const credited = await deps.funds.credit(
        {
          keyId,
          amountAtomic,
          source: \`topup:\${provider}\`,
          reference: \`\${provider}:\${reference}:\${crypto.randomUUID()}\`,`,
    },
    check: customers,
    finds: ' credits of ',
  },
  {
    name: 'double charge (a renewal that two rounds make)',
    patch: {
      file: 'plugins/plans/turns.ts',
      from: `  if (paid === 'closed') return ended('account_closed')`,
      to: `  await payMonth(accounts, tx, subscription, plan, -number, priceAtomic)
  if (paid === 'closed') return ended('account_closed')`,
    },
    check: customers,
    finds: 'in the ledger ',
  },
  {
    name: 'free credits (a refund that does not wait for what calls hold)',
    patch: {
      file: 'plugins/topup/taking.ts',
      from: `  const atomic = least(amountAtomic - takenAtomic, sumOf(holds) - (await awaitedOf(tx, ids)))`,
      to: `  const atomic = least(0n, await awaitedOf(tx, ids))`,
    },
    check: topups,
    finds: 'was not taken',
  },
  {
    name: 'lost credits (a payment that is forgotten by its age)',
    patch: {
      file: 'plugins/topup/rounds.ts',
      from: 'const { requestId, amountAtomic } = bought',
      to: `const { requestId, amountAtomic } = bought
      await store.forgetUnpaid(requestId)`,
    },
    check: topups,
    finds: 'is credited in the end',
  },
  {
    name: 'double charge (a month of a plan)',
    patch: {
      file: 'plugins/plans/turns.ts',
      from: `turn: number,
    dueAt: period.periodEnd,`,
      to: `turn: number,
    dueAt: now,`,
    },
    check: plans,
    finds: 'its month was not paid before',
  },
  {
    name: 'lost credits (bought ones lapse with those of the month)',
    patch: {
      file: 'plugins/plans/lapse.ts',
      from: 'const unspent = grantedAtomic - spentAtomic',
      to: 'const unspent = grantedAtomic',
    },
    check: plans,
    finds: 'what was not used lapses',
  },
  {
    name: 'exceeded allowance (free calls of a plan)',
    patch: {
      file: 'plugins/plans/plan-price.ts',
      from: 'const free = plan.free.get(skillId) ?? list.free',
      to: 'const free = plan.free.has(skillId) ? ALWAYS_FREE : list.free',
    },
    check: plans,
    finds: '"planId":"plus"',
  },
  {
    name: 'a voucher accepted twice (channels)',
    patch: {
      file: 'plugins/x402/channels/entry.ts',
      from: 'nonce: placeNonce(voucher.channelId, place)',
      // The same place under another name each time: nothing then keeps two calls apart.
      to: "nonce: placeNonce(voucher.channelId, ('0'.repeat(1 + Math.floor(Math.random() * 99)) + place) as never)",
    },
    check: {
      name: 'channels',
      command: vitest('test/integration/plugins/x402/channels.test.ts', '-t', 'two instances'),
    },
    finds: 'let one of many calls have a place, and charge it once',
  },
  {
    name: 'mixed up (transactions of claims that are settled together)',
    patch: {
      file: 'plugins/x402/claims/claim-writes.ts',
      from: `  const members = orders.map(({ id, transaction, streamingMs, headers }) => ({
    id,
    transaction,`,
      to: `  const last: string[] = ((globalThis as { last?: string[] }).last ??= [])
  const members = orders.map(({ id, transaction, streamingMs, headers }) => ({
    id,
    transaction: last.push(transaction) > 1 ? last.at(-2)! : transaction,`,
    },
    check: killed('payers on Solana', 'solana'),
    finds: 'answer and claim have',
  },
  {
    name: 'a signed receipt for what nobody paid',
    patch: {
      file: 'kernel/metering/receipts.ts',
      from: 'receipt.chargedAtomic > 0n && answer.status >= 200 && answer.status < 300',
      to: 'answer.status >= 200',
    },
    check: { name: 'receipts', command: vitest('test/integration/metering/receipts.test.ts') },
    finds: 'comes with no answer that cost nothing, failed or is streamed',
  },
  {
    name: 'stale cache (a key that its own instance has revoked)',
    patch: {
      file: 'host/account-management/key-writes.ts',
      from: 'for (const keyId of keyIds) db.notifyHere(KEYS_CHANNEL, keyId)',
      to: 'void [db, keyIds]',
    },
    check: { name: 'own changes', command: vitest('test/integration/auth/own-changes.test.ts') },
    finds: 'a revoked key is refused at once',
  },
  {
    name: 'lost credits (of a dispute that was won, on a closed account)',
    patch: {
      file: 'plugins/topup/returning.ts',
      from: 'isReturn: true,',
      to: '',
    },
    check: {
      name: 'reversals',
      command: vitest('test/e2e/topup-reversals.test.ts', '-t', 'account that was closed'),
    },
    finds: 'gives back what a dispute took to a key that was revoked',
  },
  {
    name: 'double capture (a webhook that came twice)',
    patch: {
      file: 'plugins/webinfra/skills/ingress.ts',
      from: 'inboundOf.set(input, { endpoint, payload, dedupeKey, payerKeyId, limits, isGenuine: genuine })',
      to: 'inboundOf.set(input, { endpoint, payload, dedupeKey: null, payerKeyId, limits, isGenuine: genuine })',
    },
    check: sequences,
    finds: 'webhooks are no duplicates',
  },
  {
    name: 'exceeded budget (a plan that its key may not buy)',
    patch: {
      file: 'plugins/plans/subscribing.ts',
      from: 'if (months.areInBudget) return null',
      to: 'if (plan.priceAtomic > 0n) return null',
    },
    check: sequences,
    finds: 'began a plan, not 0',
  },
  {
    name: 'exceeded budget (of a product, whose spending before the limit is forgotten)',
    patch: {
      file: 'kernel/ledger/accounts.ts',
      from: 'const before = [...of(sums.filter((one) => one.product_id === scope)), ...of(sums)]',
      to: 'const before = [0n, 0n, ...of(sums)]',
    },
    check: sequences,
    finds: ' on demo, not ',
  },
  {
    name: 'exceeded budget (an app that gets more than its key has left)',
    patch: {
      file: 'host/account-management/parent-budget.ts',
      from: 'if (!fits) return false',
      to: 'if (!fits) return true',
    },
    check: sequences,
    finds: 'an app was allowed',
  },
  {
    name: 'exceeded budget (an app whose limits are not those that were filled in)',
    patch: {
      file: 'host/account-management/key-writes.ts',
      from: 'await changeBudgets(tx, accounts, { accountId, keyId }, { budget, productBudgets })',
      to: "if (kind === 'key') await changeBudgets(tx, accounts, { accountId, keyId }, { budget, productBudgets })",
    },
    check: sequences,
    finds: 'an app bought',
  },
  {
    name: 'double use (a payment that buys another request)',
    patch: {
      file: 'plugins/x402/calls/repeats.ts',
      from: 'if (claim.fingerprint !== bound && claim.fingerprint !== call.fingerprint) {',
      to: 'if (claim.fingerprint === null) {',
    },
    check: sequences,
    finds: 'a payment that was used, with the',
  },
  {
    name: 'signed with an old secret (webhooks)',
    patch: {
      file: 'plugins/webinfra/secrets.ts',
      from: 'return notAfter === null || Date.parse(notAfter) > now.getTime()',
      to: 'return notAfter === null || Date.parse(notAfter) > now.getTime() - 3_600_000',
    },
    check: sequences,
    finds: 'is signed v1,',
  },
  {
    name: 'double webhook (made new by a header that nobody signed)',
    patch: {
      file: 'plugins/webinfra/payload.ts',
      from: '    signed ??\n    given ??',
      to: '    given ??\n    signed ??',
    },
    check: sequences,
    finds: 'webhooks are no duplicates',
  },
  {
    name: 'double credit (monthly credits of a plan that were not used stay)',
    patch: {
      file: 'plugins/plans/turns.ts',
      from: 'if (grantedAtomic === 0n) return nothing',
      to: 'if (grantedAtomic >= 0n) return nothing',
    },
    check: sequences,
    finds: 'the last turn of a plan was',
  },
  {
    name: 'double charge (a month that begins again whenever somebody looks)',
    patch: {
      file: 'plugins/plans/turns.ts',
      from: 'dueAt: period.periodEnd,\n  })\n}',
      to: 'dueAt: now,\n  })\n}',
    },
    check: sequences,
    finds: ['a month that is over had no turn', 'the last turn of a plan was', ' and holds '],
  },
  {
    name: 'stale cache (plans of the other instance, which nobody tells)',
    patch: {
      file: 'plugins/plans/members.ts',
      from: "return this.#signals.notify(TOPIC, '', tx)",
      to: 'return Promise.resolve()',
    },
    check: shortSequences,
    finds: 'is not known at the other gateway',
  },
  {
    name: 'double capture (an Idempotency-Key that only its instance knows)',
    patch: {
      file: 'kernel/metering/payment.ts',
      from: '`${payer ?? rail.id} ${skill.id}`',
      to: '`${process.pid} ${payer ?? rail.id} ${skill.id}`',
    },
    check: shortSequences,
    finds: 'a retry',
  },
]

/** The text of the file with the bug in it; throws where the place of the bug is not there once. */
export function planted({ file, from, to }: NonNullable<Plant['patch']>, text: string): string {
  if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`)
  return text.replace(from, () => to)
}
