/** A meter on real parts (ledger, keys, credits rail, limiter) over a test database. */
import { Type, type TSchema } from 'typebox'
import { createAuthenticator, Identifiers } from '../../kernel/auth/authenticator.ts'
import { openKeyRows } from '../../kernel/auth/key-rows.ts'
import { createKeys } from '../../host/account-management/keys.ts'
import { createTokenService } from '../../host/access-tokens/tokens.ts'
import { createRateLimiter } from '../../host/rate-limits/limiter.ts'
import { openSigningKey } from '../../host/access-tokens/signing-key.ts'
import { createVault } from '../../host/secrets/vault.ts'
import { newId } from '../../kernel/ids.ts'
import { accounts } from '../../kernel/ledger/accounts.ts'
import { readableLedger } from './ledger-rows.ts'
import type { MeterCall } from '../../kernel/metering/call.ts'
import type { MountedSkill } from '../../kernel/plugins/catalog.ts'
import { IdempotencyStore } from '../../kernel/metering/idempotency.ts'
import { Meter } from '../../kernel/metering/meter.ts'
import { AccountTerms, Quotes } from '../../kernel/metering/quotes.ts'
import { Receipts, ReceiptSigners } from '../../kernel/metering/receipts.ts'
import type { PluginEnv } from '../../kernel/plugins/contract.ts'
import type { Skill } from '../../kernel/plugins/skill.ts'
import { creditsRail } from '../../kernel/rails/credits/rail.ts'
import { RailRegistry } from '../../kernel/rails/registry.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import { silentLog } from './log.ts'
import { isMeasured, flatPrice } from '../../kernel/pricing/rule.ts'
import { ownAccount } from './accounts.ts'

export async function meterOver(db: Database, defaults = { rpm: 60_000, burst: 10_000 }) {
  const ledger = readableLedger(db)
  const keys = createKeys(db, accounts)
  const vault = createVault(Buffer.alloc(32, 7))
  const rows = await openKeyRows(db)
  const identifiers = new Identifiers(silentLog)
  const auth = createAuthenticator({
    keys: rows,
    identifiers,
    tokens: createTokenService(await openSigningKey(db, vault), 'http://localhost'),
    adminToken: null,
    serviceToken: null,
    log: silentLog,
  })
  const rails = new RailRegistry()
  rails.add(creditsRail({ ledger, holdTtlMs: 900_000 }))
  const idempotency = new IdempotencyStore(db.sql, rails)
  const limiter = createRateLimiter(db.sql, silentLog)
  const signers = new ReceiptSigners()
  const receipts = new Receipts({ signers, publicUrl: 'http://localhost', log: silentLog })
  const accountTerms = new AccountTerms()
  const meter = new Meter({
    auth,
    accountTerms,
    limiter,
    rails,
    idempotency,
    defaults,
    receipts,
    sandbox: true,
    log: silentLog,
  })
  const quotes = new Quotes('http://localhost')
  return {
    ledger,
    keys,
    rails,
    signers,
    receipts,
    meter,
    auth,
    identifiers,
    accountTerms,
    idempotency,
    quotes,
    /** A key with this balance, and limits of its own when some are given. */
    async key(
      balanceAtomic: bigint,
      limits: { rpmLimit?: number; burstLimit?: number } = {},
    ): Promise<{ id: string; key: string }> {
      const made = await keys.create({ name: 'test', mode: 'test', ...limits })
      if (balanceAtomic > 0n) {
        await ledger.credit({
          accountId: ownAccount(made.record.id),
          keyId: made.record.id,
          amountAtomic: balanceAtomic,
          source: 'sandbox',
          reference: newId(),
          kind: 'grant',
        })
      }
      return { id: made.record.id, key: made.plaintext }
    },
    /** A call of `mounted`; overrides on top of a plain JSON call. */
    call(
      mounted: MountedSkill,
      input: unknown,
      overrides: Partial<MeterCall> & { apiKey?: string } = {},
    ): MeterCall {
      const { apiKey, ...rest } = overrides
      return {
        mounted,
        quote: quotes.http(mounted),
        requestId: newId(),
        source: { header: (name) => (name === 'x-api-key' ? (apiKey ?? null) : null) },
        place: { transport: 'http', method: 'POST', target: mounted.route?.path ?? '/' },
        idempotencyKey: null,
        acquisition: null,
        clientAddress: '127.0.0.1',
        signal: new AbortController().signal,
        read: async () => ({ ok: true, input }),
        parts: async () => null,
        ...rest,
      }
    },
    async close() {
      await ledger.drain()
      await limiter.close()
      await rows.close()
    },
  }
}

/** A skill mounted at POST /v1/t/run for `amountAtomic`, or for `price`. */
export function mount<I extends TSchema, O extends TSchema>(
  skill: Partial<Skill<unknown, I, O>> & Pick<Skill<unknown, I, O>, 'handler'>,
  options: Partial<Pick<MountedSkill, 'amountAtomic' | 'metered' | 'price' | 'rails'>> & {
    timeoutMs?: number
    concurrency?: number
  } = {},
): MountedSkill {
  const full = {
    id: 't.run',
    tools: [],
    title: 'Run',
    description: 'Runs.',
    input: Type.Object({}, { additionalProperties: true }),
    output: Type.Unknown(),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...skill,
  } as unknown as Skill
  const env = { config: {}, log: silentLog, now: () => new Date() } as unknown as PluginEnv
  const price = options.price ?? flatPrice(options.amountAtomic ?? 10_000n)
  return {
    skill: full,
    env,
    product: { id: 't', title: 'T', description: '', basePath: '/v1/t', spec: {} },
    route: { method: 'POST', path: '/v1/t/run' },
    tools: [],
    metered: options.metered ?? true,
    amountAtomic: price.maxAtomic,
    price,
    isMeasured: isMeasured(price),
    priceVersion: 1,
    rails: options.rails ?? ['credits'],
    limits: {
      timeoutMs: options.timeoutMs ?? 5000,
      bodyBytes: 1_000_000,
      concurrency: options.concurrency ?? 1000,
    },
  }
}
