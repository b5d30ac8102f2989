/**
 * Whatever an upstream does (lies, omits, cuts, breaks off, says it in pieces) and whatever its price
 * is: 0 <= captured <= max <= balance at the hold, and captured is the formula of what was seen.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import type { ForwardRequest } from '../../kernel/plugins/skill.ts'
import type { MeasureSource, PriceRule } from '../../kernel/pricing/rule.ts'
import { ownAccount } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { meterOver, mount } from '../support/metering.ts'

const database = await testDatabase()
let world: Awaited<ReturnType<typeof meterOver>>
beforeAll(async () => {
  world = await meterOver(database.db)
})
afterAll(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await world.close()
  await database.close()
})

type Ending = 'ends' | 'breaks' | 'leaves'
interface Case {
  base: number
  unit: number
  first: number
  step: number
  room: number
  missing: 'base' | 'max'
  source: 'pointer' | 'bytes'
  /** What the events say, as JSON; undefined: an event without a usage. */
  said: (string | undefined)[]
  isEvents: boolean
  cuts: number[]
  ending: Ending
  balance: number
}

/** JSON of a number of units, good or not, with what it counts as. */
const SAID: Readonly<Record<string, bigint | null>> = {
  '0': 0n,
  '1': 1n,
  '7': 7n,
  '12.5': 13n,
  '1000000': 1_000_000n,
  '9007199254740992': 2n ** 53n,
  '9007199254740994': null,
  '-3': null,
  '1e400': null,
  '"7"': null,
  '{}': null,
}
const one: fc.Arbitrary<Case> = fc.record({
  base: fc.nat(5000),
  unit: fc.integer({ min: 1, max: 3000 }),
  first: fc.nat(3),
  step: fc.constantFrom(1, 3, 100),
  room: fc.integer({ min: 1, max: 40_000 }),
  missing: fc.constantFrom('base', 'max'),
  source: fc.constantFrom('pointer', 'bytes'),
  said: fc.array(fc.option(fc.constantFrom(...Object.keys(SAID), 'null'), { nil: undefined }), {
    maxLength: 4,
  }),
  isEvents: fc.boolean(),
  cuts: fc.array(fc.nat(400), { maxLength: 5 }),
  ending: fc.constantFrom('ends', 'breaks', 'leaves'),
  balance: fc.integer({ min: 0, max: 60_000 }),
})

/** The text that the upstream sends, and the units in so much of it. */
function textOf({ said, isEvents }: Case): string {
  const usage = (units: string | undefined): string =>
    units === undefined ? '{"text":"x"}' : `{"usage":{"units":${units}}}`
  return isEvents ? said.map((units) => `data: ${usage(units)}\n\n`).join('') : usage(said.at(-1))
}
function unitsIn(text: string, { isEvents }: Case): bigint | null {
  // An event counts when its JSON is whole, also without the line end behind it.
  const documents = isEvents
    ? text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    : [text]
  let units: bigint | null = null
  for (const document of documents) {
    const found = /^\{"usage":\{"units":(.*)\}\}$/.exec(document)?.[1]
    if (found !== undefined && found !== 'null') units = SAID[found] ?? null
  }
  return units
}
function formula(price: PriceRule, units: bigint | null): bigint {
  if (units === null) return price.missing === 'max' ? price.maxAtomic : price.baseAtomic
  const { first, step, unitAtomic } = price.per[0]!
  const beyond = units - first
  const sum = price.baseAtomic + (beyond > 0n ? ((beyond + step - 1n) / step) * unitAtomic : 0n)
  return sum < price.maxAtomic ? sum : price.maxAtomic
}

test('what is captured is the formula of what was seen, under what is held', async () => {
  await fc.assert(
    fc.asyncProperty(one, async (given) => {
      const source: MeasureSource =
        given.source === 'bytes'
          ? { kind: 'bytes' }
          : { kind: 'pointer', pointers: ['/usage/units'] }
      const baseAtomic = BigInt(given.base)
      const price: PriceRule = {
        baseAtomic,
        baseTiers: null,
        per: [
          {
            unit: 'unit',
            source,
            unitAtomic: BigInt(given.unit),
            tiers: null,
            first: BigInt(given.first),
            step: BigInt(given.step),
          },
        ],
        maxAtomic: baseAtomic + BigInt(given.room),
        free: null,
        missing: given.missing,
      }
      const text = textOf(given)
      const places = [0, ...given.cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b)]
      const chunks = [...places.slice(1), text.length].flatMap((to, index) => {
        const chunk = text.slice(places[index], to)
        return chunk === '' ? [] : [chunk]
      })
      const { ending } = given
      const left = [...chunks]
      const forward = async () => ({
        ok: true as const,
        response: new Response(
          new ReadableStream<Uint8Array>(
            {
              pull(controller) {
                const next = left.shift()
                if (next !== undefined) return controller.enqueue(new TextEncoder().encode(next))
                if (ending === 'breaks') controller.error(new Error('broke off'))
                else controller.close()
              },
            },
            { highWaterMark: 0 },
          ),
          {
            headers: { 'content-type': given.isEvents ? 'text/event-stream' : 'application/json' },
          },
        ),
      })
      const mounted = mount(
        { handler: async () => ({ ok: true as const, output: {} }), forward },
        { price },
      )
      const { id, key } = await world.key(BigInt(given.balance))
      const read = async () => ({
        ok: true as const,
        forward: { method: 'GET', path: '/x' } as ForwardRequest,
        fingerprint: 'f',
      })
      const outcome = await world.meter.run(world.call(mounted, {}, { apiKey: key, read }))
      let expected: bigint
      if (BigInt(given.balance) < price.maxAtomic) {
        expect(outcome.kind).toBe('failure')
        expected = 0n
      } else if (!given.isEvents) {
        // Read whole before anything goes out: what breaks off costs nothing.
        expect(outcome.kind).toBe(ending === 'breaks' ? 'failure' : 'answer')
        const units = given.source === 'bytes' ? BigInt(text.length) : unitsIn(text, given)
        expected = ending === 'breaks' ? 0n : formula(price, units)
      } else {
        if (outcome.kind !== 'stream') throw new Error(outcome.kind)
        const reader = outcome.response.body!.getReader()
        let seen = ''
        try {
          for (;;) {
            if (ending === 'leaves' && seen.length > text.length / 2) {
              await reader.cancel()
              break
            }
            const { done, value } = await reader.read()
            if (done) break
            seen += new TextDecoder().decode(value)
          }
        } catch {
          await outcome.onBroken()
        }
        await outcome.charging
        const units = given.source === 'bytes' ? BigInt(seen.length) : unitsIn(seen, given)
        const rule = ending === 'breaks' ? { ...price, missing: 'base' as const } : price
        expected = ending === 'breaks' && seen === '' ? 0n : formula(rule, units)
      }
      const [hold] = await database.db.sql<{ amount: bigint; captured: bigint | null }[]>`
        SELECT amount, captured FROM coinop.hold WHERE key_id = ${id}`
      const captured = hold?.captured ?? 0n
      expect(captured).toBe(expected)
      expect(captured >= 0n && captured <= price.maxAtomic).toBe(true)
      if (hold) expect(hold.amount).toBe(price.maxAtomic)
      const balance = (await world.ledger.balance(ownAccount(id)))!
      expect([balance.availableAtomic, balance.heldAtomic]).toEqual([
        BigInt(given.balance) - captured,
        0n,
      ])
    }),
    { seed: 20261122, numRuns: 250, endOnFailure: false },
  )
})
