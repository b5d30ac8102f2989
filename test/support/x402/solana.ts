/** What tests of Solana payments stand on: a database, a node, a buyer, facilitators and the rail. */
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme as FacilitatorScheme } from '@x402/svm/exact/facilitator'
import type { KeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, expect } from 'vitest'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import { createSettlements } from '../../../host/plugin-services/settlements.ts'
import { createSignals } from '../../../host/plugin-services/signals.ts'
import { migratePlugin, pluginDb } from '../../../kernel/storage/plugin-db.ts'
import type { Database, PluginDb } from '../../../kernel/storage/contract.ts'
import type { SolanaSettings } from '../../../plugins/x402/terms/settings.ts'
import type { X402Timing } from '../../../plugins/x402/entries/shared.ts'
import { migrations } from '../../../plugins/x402/migrations.ts'
import { X402Rail } from '../../../plugins/x402/rail.ts'
import { ownAccount } from '../accounts.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { lifetimes, type Closing } from '../lifetimes.ts'
import { silentLog } from '../log.ts'
import { meterOver } from '../metering.ts'
import { refusalOf } from '../outcomes.ts'
import { echoSkill, type EchoSkill } from './instances.ts'
import { decode, paidBy } from './payments.ts'
import { QUICK } from './rail.ts'
import { solanaClient } from './solana-client.ts'
import { SOLANA, startSolanaNode, type SolanaNode } from './solana-node.ts'
import { solanaKey, solanaSecret, USDC_MINT } from './solana-payments.ts'

/** What a facilitator does with a settlement instead of its work. */
export type SolanaFault =
  /** Settles, and its answer breaks off. */
  | 'lose'
  /** Settles, then answers 500. */
  | 'settle_then_500'
  | '503'
  /** Says so without settling, and names no transaction of this payment. */
  | 'lie'

export interface SolanaFacilitator {
  url: string
  /** Whom it names as fee payer. */
  feePayer: string
  faults: SolanaFault[]
  /** Whether it answers at all. */
  isUp: boolean
  verifies: number
  settles: number
  stop(): Promise<void>
}

/**
 * The reference facilitator (@x402/core, @x402/svm) over the node. Two of one `sponsor` stand for two
 * facilitators that know nothing of each other's settlements.
 */
export async function startSolanaFacilitator(
  node: SolanaNode,
  sponsor = 'facilitator',
): Promise<SolanaFacilitator> {
  const key = await solanaKey(sponsor)
  node.giveLamports(key.address)
  const signer = toFacilitatorSvmSigner(key, { defaultRpcUrl: node.url })
  const facilitator = new x402Facilitator().register(SOLANA, new FacilitatorScheme(signer))
  const state: SolanaFacilitator = {
    url: '',
    feePayer: key.address,
    faults: [],
    isUp: true,
    verifies: 0,
    settles: 0,
    stop: () => server.stop(true),
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      if (!state.isUp) return new Response('busy', { status: 503 })
      const { pathname } = new URL(request.url)
      if (pathname === '/supported') return Response.json(facilitator.getSupported())
      const { paymentPayload, paymentRequirements } = (await request.json()) as {
        paymentPayload: PaymentPayload
        paymentRequirements: PaymentRequirements
      }
      if (pathname === '/verify') {
        state.verifies++
        return Response.json(await facilitator.verify(paymentPayload, paymentRequirements))
      }
      state.settles++
      const fault = state.faults.shift()
      if (fault === '503') return new Response('busy', { status: 503 })
      if (fault === 'lie') {
        const transaction = node.landed().at(-1) ?? '1'.repeat(64)
        return Response.json({ success: true, transaction, network: SOLANA })
      }
      const settled = await facilitator.settle(paymentPayload, paymentRequirements)
      if (fault === 'settle_then_500') return new Response('oops', { status: 500 })
      return fault === 'lose'
        ? new Response('{"success":tr', { headers: { 'content-type': 'application/json' } })
        : Response.json(settled)
    },
  })
  state.url = `http://127.0.0.1:${server.port}`
  return state
}

export interface SolanaGround {
  readonly database: TestDatabase
  readonly node: SolanaNode
  /** Has USDC. */
  readonly buyer: KeyPairSigner
  /** Owner of the account that is paid. */
  readonly payee: string
  /** The secret of the gateway's own fee payer, which has lamports. */
  readonly sponsorSecret: string
  readonly sponsor: string
  closing: Closing
  facilitator(sponsor?: string): Promise<SolanaFacilitator>
  /** Starts to count; what comes back tells what was taken since: runs of the skills, atomic USDC. */
  tally(): () => { runs: number; moved: bigint }
  counts(skill: EchoSkill): void
  settings(changes?: Partial<SolanaSettings>): SolanaSettings
  expireLeases(): Promise<unknown>
}

/** Call it in a describe block, outside of any test. In the end its ledger must balance. */
export function solanaGround(): SolanaGround {
  let database!: TestDatabase
  let node!: SolanaNode
  let buyer!: KeyPairSigner
  let payee!: string
  let sponsorSecret!: string
  let sponsor!: string
  const skills: EchoSkill[] = []
  const closing = lifetimes()

  beforeAll(async () => {
    database = await testDatabase()
    await migratePlugin(database.db, 'x402', migrations)
    node = startSolanaNode()
    buyer = await solanaKey('payer')
    payee = (await solanaKey('payee')).address
    sponsor = (await solanaKey('sponsor')).address
    sponsorSecret = await solanaSecret('sponsor')
    node.fund(buyer.address, 1_000_000_000n)
    node.fund(payee, 0n)
    node.giveLamports(sponsor)
  })
  afterAll(async () => {
    expect((await verifyLedger(database.db.sql)).violations).toEqual([])
    await database.close()
    await node.stop()
  })
  const runs = () => skills.reduce((sum, skill) => sum + skill.runs, 0)
  return {
    get database() {
      return database
    },
    get node() {
      return node
    },
    get buyer() {
      return buyer
    },
    get payee() {
      return payee
    },
    get sponsor() {
      return sponsor
    },
    get sponsorSecret() {
      return sponsorSecret
    },
    closing,
    async facilitator(name) {
      const started = await startSolanaFacilitator(node, name)
      closing(() => started.stop())
      return started
    },
    tally() {
      const before = { runs: runs(), received: node.balanceOf(payee) }
      return () => ({ runs: runs() - before.runs, moved: node.balanceOf(payee) - before.received })
    },
    counts: (skill) => void skills.push(skill),
    settings: (changes = {}) => ({
      kind: 'solana',
      network: SOLANA,
      asset: USDC_MINT,
      decimals: 6,
      payTo: payee,
      rpcUrl: node.url,
      signerKey: sponsorSecret,
      feePayer: null,
      facilitators: [],
      names: {
        network: 'network',
        asset: 'asset',
        payTo: 'pay_to',
        rpc: 'rpc',
        settlers: 'neither facilitators nor signer is set',
      },
      ...changes,
    }),
    expireLeases: () => database.db.sql`
      UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
      WHERE state IN ('claimed', 'settling')`,
  }
}

export interface SolanaInstance extends Awaited<ReturnType<typeof meterOver>> {
  rail: X402Rail
  challenge(): Promise<PaymentRequired>
  /** The offers that clients of version 1 read in the body. */
  acceptsV1(): Promise<unknown>
  /** A payment as the reference client makes it, for the offer as it is or was changed. */
  signed(change?: (offer: PaymentRequirements) => PaymentRequirements): Promise<PaymentPayload>
  pay(payment: unknown, input?: unknown): Promise<MeterOutcome>
  /** Pays until it is no longer told to wait. */
  comeBack(payment: unknown, input?: unknown): Promise<MeterOutcome>
}

export const SOLANA_QUICK: X402Timing = {
  ...QUICK,
  settleTimeoutMs: 10_000,
  confirmTimeoutMs: 500,
  verifyTimeoutMs: 10_000,
  reconcileEveryMs: 50,
  // Facilitators are asked anew within a second.
  refreshEveryMs: 600,
}

/** Opens instances that sell `sold`, each with the meter of a gateway. */
export function solanaInstances(ground: SolanaGround, sold = echoSkill()) {
  ground.counts(sold)
  return async (
    changes: Partial<SolanaSettings> = {},
    {
      timing = {},
      database = ground.database.db,
      through = (db: PluginDb) => db,
    }: {
      timing?: X402Timing
      database?: Database
      /** What the plugin's tables are reached through. */
      through?: (db: PluginDb) => PluginDb
    } = {},
  ): Promise<SolanaInstance> => {
    const meter = await meterOver(database)
    ground.closing(() => meter.close())
    const rail = new X402Rail({
      db: through(pluginDb(database, 'x402')),
      records: createSettlements(createLedger(database), async (keyId) => ownAccount(keyId)),
      signals: createSignals(database, 'x402'),
      log: silentLog,
      entries: [ground.settings(changes)],
      timing: { ...SOLANA_QUICK, ...timing },
    })
    ground.closing(() => rail.stop())
    await rail.start()
    meter.rails.add(rail)
    const pay: SolanaInstance['pay'] = async (payment, input = { a: 1 }) =>
      meter.meter.run(meter.call(sold, input, { source: paidBy(payment) }))
    async function unpaid() {
      const { fresh } = refusalOf(await meter.meter.run(meter.call(sold, {}, {})))
      return fresh.find(({ offer }) => offer.challenge)!.part
    }
    async function challenge(): Promise<PaymentRequired> {
      return decode((await unpaid()).replacedHeaders!['payment-required']!)
    }
    return {
      ...meter,
      rail,
      challenge,
      acceptsV1: async () => (await unpaid()).body!['accepts'],
      async signed(change = (offer) => offer) {
        const required = await challenge()
        const accepts = required.accepts.map(change)
        const client = solanaClient(ground.node, ground.buyer)
        return client.createPaymentPayload({ ...required, accepts })
      },
      pay,
      async comeBack(payment, input) {
        for (let attempt = 0; attempt < 200; attempt++) {
          const outcome = await pay(payment, input)
          if (outcome.kind !== 'failure' || outcome.failure.retryable !== true) return outcome
          await Bun.sleep(25)
        }
        throw new Error(`the settlement never ended: ${JSON.stringify(await pay(payment, input))}`)
      },
    }
  }
}
