/** Streamed answers that a payment bought: what breaks off can be had again, and nothing is paid twice. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { CallerEnded } from '../../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../../kernel/metering/call.ts'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import type { ForwardRequest } from '../../../../kernel/plugins/skill.ts'
import { mount } from '../../../support/metering.ts'
import { failureOf, reasonOf, streamOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { decode, encode } from '../../../support/x402/payments.ts'
import { authorized, railCall } from '../../../support/x402/rail.ts'
import { ownAccount } from '../../../support/accounts.ts'

const ground = x402Ground()
const { received, expireLeases } = ground
const open = x402Instances(ground, echoSkill())
let gateway: X402Instance
let runs = 0
let bodies = 0

beforeAll(async () => {
  gateway = await open()
})

type Ending = 'breaks' | 'given up' | 'ends' | 'goes on'

/** Two events, then what `endings` says for each run in turn; the last one stays. */
function events(...endings: Ending[]): MountedSkill {
  const forward = async () => {
    const ending = endings[Math.min(runs, endings.length - 1)]!
    runs++
    let left = 2
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) return controller.enqueue(new TextEncoder().encode(`data: ${left}\n\n`))
        if (ending === 'breaks') controller.error(new Error('upstream died'))
        else if (ending === 'given up') controller.error(new CallerEnded('its body broke off'))
        else if (ending === 'ends') controller.close()
        else return new Promise(() => {})
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    return { ok: true as const, response: new Response(body, { headers }) }
  }
  runs = 0
  return mount(
    { id: `t.events${bodies++}`, handler: async () => ({ ok: true, output: {} }), forward },
    { rails: ['x402'] },
  )
}

const request = { method: 'GET', path: '/x' } as ForwardRequest
const reading = (fingerprint: string) => async () => ({
  ok: true as const,
  forward: request,
  fingerprint,
})

const payment = (skill: MountedSkill) => gateway.signed({}, { skill })
const pay = (skill: MountedSkill, signed: unknown, fingerprint = 'f') =>
  gateway.pay(signed, { skill, read: reading(fingerprint) })
/**
 * What the payment gets once the lease of its stream is over. The one that died lives on in this process,
 * and may renew the lease right after it has expired.
 */
async function payAfterDeath(skill: MountedSkill, signed: unknown): Promise<MeterOutcome> {
  for (;;) {
    await expireLeases()
    const outcome = await pay(skill, signed)
    if (reasonOf(outcome) !== 'payment_in_flight') return outcome
  }
}
/** Waits until the payment buys nothing more, which is noted after the last byte. */
const usedUp = (skill: MountedSkill, signed: unknown) =>
  vi.waitUntil(async () => reasonOf(await pay(skill, signed)) === 'answer_not_kept', PATIENT)
/** Reads as the transport does: to the end, or until it breaks off. */
async function readAll(outcome: MeterOutcome): Promise<'complete' | 'broken'> {
  const stream = streamOf(outcome)
  try {
    await stream.response.bytes()
    return 'complete'
  } catch {
    await stream.onBroken()
    return 'broken'
  }
}

describe('a stream that its upstream breaks off', () => {
  it('is run again for the same payment, which is not charged again', async () => {
    const skill = events('breaks', 'breaks', 'ends')
    const before = await received()
    const signed = await payment(skill)
    const first = streamOf(await pay(skill, signed))
    expect(await readAll(first)).toBe('broken')
    expect((await received()) - before).toBe(10_000n)
    const second = streamOf(await pay(skill, signed))
    expect(second.receipt).toMatchObject({
      chargedAtomic: 0n,
      transaction: first.receipt.transaction,
      ledgerId: first.receipt.ledgerId,
    })
    expect(decode(second.receipt.headers['payment-response'])).toMatchObject({
      success: true,
      amount: '10000',
    })
    expect(await readAll(second)).toBe('broken')
    expect(await readAll(await pay(skill, signed))).toBe('complete')
    await usedUp(skill, signed)
    expect(runs).toBe(3)
    expect((await received()) - before).toBe(10_000n)
  })

  it('is run again for nobody else, for no other request, and once at a time', async () => {
    const skill = events('breaks', 'goes on')
    const signed = await payment(skill)
    await readAll(await pay(skill, signed))
    expect(reasonOf(await pay(skill, signed, 'another'))).toBe('nonce_already_used')
    const twin = events('ends')
    runs = 1
    expect(reasonOf(await pay(twin, signed, 'of the twin'))).toBe('nonce_already_used')
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => pay(skill, signed)))
    const streams = outcomes.filter(({ kind }) => kind === 'stream')
    expect(streams).toHaveLength(1)
    for (const outcome of outcomes.filter(({ kind }) => kind === 'failure')) {
      expect(failureOf(outcome)).toMatchObject({ status: 409, retryable: true })
    }
    expect(runs).toBe(2)
    await streamOf(streams[0]!).response.body!.cancel()
  })

  it('is run again after its authorization expired', async () => {
    const skill = events('breaks', 'ends')
    const validBefore = BigInt(Math.floor(Date.now() / 1000)) + 60n
    const signed = await gateway.signed({ authorization: { validBefore } }, { skill })
    await readAll(await pay(skill, signed))
    const later = { ...skill, limits: { ...skill.limits, timeoutMs: 120_000 } }
    expect(await readAll(await pay(later, signed))).toBe('complete')
  })
})

describe('a stream that broke off and was refunded as credits', () => {
  it('is not run again', async () => {
    const skill = events('breaks', 'ends')
    const signed = await payment(skill)
    const first = streamOf(await pay(skill, signed))
    await readAll(first)
    const { id } = await gateway.key(0n)
    await gateway.ledger.credit({
      accountId: ownAccount(id),
      keyId: id,
      amountAtomic: 10_000n,
      source: 'settlement',
      reference: `refund:${first.receipt.ledgerId}`,
      kind: 'refund',
    })
    expect(reasonOf(await pay(skill, signed))).toBe('payment_refunded')
    expect(runs).toBe(1)
  })
})

describe('a stream that went out', () => {
  it('whole, or to a reader who left, was the answer: the payment is used up', async () => {
    for (const leave of [false, true]) {
      const skill = events(leave ? 'goes on' : 'ends')
      const signed = await payment(skill)
      const stream = streamOf(await pay(skill, signed))
      expect(reasonOf(await pay(skill, signed))).toBe('payment_in_flight')
      if (leave) await stream.response.body!.cancel()
      else await stream.response.bytes()
      await usedUp(skill, signed)
      expect(runs).toBe(1)
    }
  })
})

describe('a stream that outlives the revision of its rail', () => {
  it('keeps its lease until its reader has left, so that it is had once', async () => {
    const { rail, ...older } = await open()
    const skill = events('goes on')
    const signed = await older.signed({}, { skill })
    const stream = streamOf(await older.pay(signed, { skill, read: reading('f') }))
    await rail.stop()
    const leaseOf = async () => {
      const [row] = await ground.database.db.sql<{ lease_until: Date }[]>`
        SELECT lease_until FROM plugin_x402.x402_claim
        WHERE transaction = ${stream.receipt.transaction!}`
      return row!.lease_until.getTime()
    }
    const before = await leaseOf()
    await vi.waitUntil(async () => (await leaseOf()) > before, PATIENT)
    expect(reasonOf(await pay(skill, signed))).toBe('payment_in_flight')
    await stream.response.body!.cancel()
    await usedUp(skill, signed)
    expect(runs).toBe(1)
  })
})

describe('a stream that ended because of its caller', () => {
  it('was the answer: the payment is used up', async () => {
    const skill = events('given up')
    const signed = await payment(skill)
    const stream = streamOf(await pay(skill, signed))
    await expect(stream.response.bytes()).rejects.toThrow()
    await usedUp(skill, signed)
    expect(runs).toBe(1)
  })
})

describe('a gateway that dies', () => {
  it('while it streams: the payment is good for another run when its lease is over', async () => {
    const skill = events('goes on', 'ends')
    const before = await received()
    const signed = await payment(skill)
    const lost = streamOf(await pay(skill, signed))
    expect(reasonOf(await pay(skill, signed))).toBe('payment_in_flight')
    expect(await readAll(await payAfterDeath(skill, signed))).toBe('complete')
    expect((await received()) - before).toBe(10_000n)
    // The dead one's stream ends now: nothing changes.
    await lost.response.body!.cancel()
    await lost.onBroken()
    await usedUp(skill, signed)
    expect(runs).toBe(2)
  })

  it('before the first byte: the next one settles, and the payment has its run', async () => {
    const skill = events('ends')
    const before = await received()
    const signed = await payment(skill)
    const call = railCall(gateway.call(skill, {}).quote)
    await authorized(gateway.rail, call, signed)
    const { claims } = gateway.core
    const lease = { token: Bun.randomUUIDv7(), ms: 0 }
    await claims.beginSettling({ id: call.holdId, answer: null, lease })
    await vi.waitUntil(async () => (await claims.byId(call.holdId))?.ledgerId, PATIENT)
    expect(await readAll(await pay(skill, signed))).toBe('complete')
    expect((await received()) - before).toBe(10_000n)
    expect(runs).toBe(1)
  })
})

describe('a request that was paid ahead', () => {
  it('can be called again after its stream broke off, by its request id', async () => {
    const skill = events('breaks', 'ends')
    const { quote } = gateway.call(skill, {})
    const requestId = `ahead-${crypto.randomUUID()}`
    const settled = await gateway.desk.settle({
      quote,
      requestId,
      keyId: null,
      paymentSignature: encode(await payment(skill)),
    })
    expect(settled.ok).toBe(true)
    const source = { header: (name: string) => (name === 'x-request-id' ? requestId : null) }
    const call = () => gateway.ask(skill, {}, { requestId, source, read: reading('f') })
    expect(await readAll(await call())).toBe('broken')
    expect(await readAll(await call())).toBe('complete')
    expect(runs).toBe(2)
  })
})
