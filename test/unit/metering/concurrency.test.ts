import { describe, expect, test } from 'vitest'
import { ConcurrencySlots, type Slot } from '../../../kernel/metering/concurrency.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'

const skill = (concurrency: number, id = 'work'): MountedSkill =>
  ({ skill: { id }, limits: { concurrency } }) as unknown as MountedSkill
const FULL = { ok: false, limit: 'concurrency' }
const SHARE = { ok: false, limit: 'concurrency_share' }

const gone = { signal: AbortSignal.abort() }
const waiting = new AbortController()

/** What a caller gets who does not wait. */
function take(slots: ConcurrencySlots, mounted: MountedSkill, share: string, now = 0): Slot {
  const slot = slots.enter(mounted, share, gone, now)
  if (slot instanceof Promise) throw new Error('waits')
  return slot
}

/** Takes until refused; the releases and the refusal. */
function fill(slots: ConcurrencySlots, mounted: MountedSkill, share: string, now = 0) {
  const releases: (() => void)[] = []
  for (;;) {
    const slot = take(slots, mounted, share, now)
    if (!slot.ok) return { releases, refused: slot }
    releases.push(slot.release)
  }
}

describe('slots of a skill', () => {
  test.each([1, 2, 8, 64])('%i are all there for one caller alone', (concurrency) => {
    const slots = new ConcurrencySlots()
    const { releases, refused } = fill(slots, skill(concurrency), 'a')
    expect([releases.length, slots.total()]).toEqual([concurrency, concurrency])
    expect(refused).toEqual(FULL)
    for (const release of releases) release()
    expect(slots.total()).toBe(0)
  })

  test.each([
    [2, 1],
    [3, 2],
    [8, 6],
    [64, 48],
  ])('%i: one caller holds %i of them once there is another', (concurrency, most) => {
    const slots = new ConcurrencySlots()
    const mounted = skill(concurrency)
    const first = take(slots, mounted, 'b', 0)
    if (first.ok) first.release()
    const { releases, refused } = fill(slots, mounted, 'a')
    expect(releases).toHaveLength(most)
    expect(refused).toEqual(SHARE)
    expect(take(slots, mounted, 'b', 0)).toMatchObject({ ok: true })
  })

  test('two callers with many calls leave one to each of the others', () => {
    const slots = new ConcurrencySlots()
    const mounted = skill(8)
    take(slots, mounted, 'b', 0)
    fill(slots, mounted, 'a')
    fill(slots, mounted, 'b')
    expect(slots.total()).toBe(6)
    expect(take(slots, mounted, 'c', 0)).toMatchObject({ ok: true })
    expect(take(slots, mounted, 'c', 0)).toEqual(SHARE)
    expect(take(slots, mounted, 'd', 0)).toMatchObject({ ok: true })
    expect(take(slots, mounted, 'e', 0)).toEqual(FULL)
  })

  test('a caller who took all before the other came gives the next free one to it', () => {
    const slots = new ConcurrencySlots()
    const mounted = skill(4)
    const { releases } = fill(slots, mounted, 'a')
    expect(take(slots, mounted, 'b', 0)).toEqual(FULL)
    releases[0]!()
    expect(take(slots, mounted, 'a', 1)).toEqual(SHARE)
    expect(take(slots, mounted, 'b', 2)).toMatchObject({ ok: true })
  })

  test('a caller is alone again when the others are long gone', () => {
    const slots = new ConcurrencySlots()
    const mounted = skill(4)
    take(slots, mounted, 'b', 0)
    expect(fill(slots, mounted, 'a', 1000).refused).toEqual(SHARE)
    expect(fill(slots, mounted, 'a', 11 * 60_000).refused).toEqual(FULL)
  })

  test('skills do not share them', () => {
    const slots = new ConcurrencySlots()
    fill(slots, skill(1), 'a')
    expect(take(slots, skill(1, 'other'), 'a')).toMatchObject({ ok: true })
  })

  test('a call over its share has the next slot that its caller gives back', async () => {
    const slots = new ConcurrencySlots()
    const mounted = skill(4)
    take(slots, mounted, 'b')
    const { releases } = fill(slots, mounted, 'a')
    const second = slots.enter(mounted, 'a', waiting, 0)
    const third = slots.enter(mounted, 'a', waiting, 0)
    releases[0]!()
    const slot = await second
    expect(slot.ok).toBe(true)
    expect(slots.total()).toBe(3)
    if (slot.ok) slot.release()
    expect(await third).toMatchObject({ ok: true })
    expect(slots.total()).toBe(3)
  })

  test('no more calls wait than there are slots, and whoever leaves waits no more', async () => {
    const slots = new ConcurrencySlots()
    const mounted = skill(2)
    const first = take(slots, mounted, 'a')
    if (first.ok) first.release()
    take(slots, mounted, 'b')
    const caller = new AbortController()
    const waits = [1, 2].map(() => slots.enter(mounted, 'b', caller, 0))
    expect(waits.every((one) => one instanceof Promise)).toBe(true)
    expect(slots.enter(mounted, 'b', waiting, 0)).toEqual(SHARE)
    caller.abort()
    expect(await Promise.all(waits)).toEqual([SHARE, SHARE])
  })
})
