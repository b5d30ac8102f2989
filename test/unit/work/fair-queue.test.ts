import { describe, expect, test } from 'vitest'
import { FairQueue, type FairLimits } from '../../../kernel/work/fair-queue.ts'

function queue(limits: Partial<FairLimits> = {}): FairQueue<string> {
  return new FairQueue({ places: 2, maxQueued: 100, maxQueuedPerShare: 100, ...limits })
}
/** Items of a holder, named after it: a1, a2 … */
function enter(on: FairQueue<string>, share: string, count: number, from = 1): void {
  for (let n = from; n < from + count; n += 1)
    expect(on.enter(share, `${share}${n}`)).toMatchObject({ ok: true })
}
/** All that may run now. */
function start(on: FairQueue<string>): string[] {
  const started: string[] = []
  for (let item = on.take(); item !== null; item = on.take()) started.push(item)
  return started
}
/** Ends one item of `share` and starts what may run then. */
function end(on: FairQueue<string>, share: string): string[] {
  on.end(share)
  return start(on)
}

describe('one holder alone', () => {
  test('has every place, in the order of its items', () => {
    const q = queue()
    enter(q, 'a', 4)
    expect(start(q)).toEqual(['a1', 'a2'])
    expect([end(q, 'a'), end(q, 'a')]).toEqual([['a3'], ['a4']])
    expect({ queued: q.queued, running: q.running }).toEqual({ queued: 0, running: 2 })
  })
})

describe('a second holder', () => {
  test('is lent a place while the first holds several, and is given the next one', () => {
    const q = queue()
    enter(q, 'a', 200 / 2)
    expect(start(q)).toEqual(['a1', 'a2'])
    enter(q, 'b', 3)
    expect(start(q)).toEqual(['b1'])
    // Now three run on two places: the first that ends gives the lent one back.
    expect(end(q, 'a')).toEqual([])
    expect(end(q, 'a')).toEqual(['a3'])
    expect(end(q, 'b')).toEqual(['b2'])
  })

  test('waits one item of the first at most where there is one place', () => {
    const q = queue({ places: 1 })
    enter(q, 'a', 50)
    expect(start(q)).toEqual(['a1'])
    expect(end(q, 'a')).toEqual(['a2'])
    enter(q, 'b', 2)
    expect(start(q)).toEqual([])
    expect(end(q, 'a')).toEqual(['b1'])
    expect(end(q, 'b')).toEqual(['a3'])
    expect(end(q, 'a')).toEqual(['b2'])
  })

  test('that comes again and again does not keep the first from its turns', () => {
    const q = queue({ places: 1 })
    enter(q, 'a', 3)
    expect(start(q)).toEqual(['a1'])
    enter(q, 'b', 1)
    expect(end(q, 'a')).toEqual(['b1'])
    enter(q, 'b', 1, 2)
    expect(end(q, 'b')).toEqual(['a2'])
    expect(end(q, 'a')).toEqual(['b2'])
    enter(q, 'b', 1, 3)
    expect(end(q, 'b')).toEqual(['a3'])
  })
})

describe('several holders', () => {
  test('take turns, however many items each has', () => {
    const q = queue({ places: 1 })
    enter(q, 'a', 90)
    const order = start(q)
    enter(q, 'b', 2)
    enter(q, 'c', 5)
    let running = order[0]![0]!
    for (let n = 0; n < 8; n += 1) {
      const [next] = end(q, running)
      order.push(next!)
      running = next![0]!
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'c3', 'a4'])
  })

  test('with one item each get no place more than there are', () => {
    const q = queue()
    for (const share of ['a', 'b', 'c']) enter(q, share, 1)
    expect(start(q)).toEqual(['a1', 'b1'])
    expect(end(q, 'b')).toEqual(['c1'])
  })

  test('get only one place lent among them', () => {
    const q = queue()
    enter(q, 'a', 5)
    start(q)
    enter(q, 'b', 1)
    enter(q, 'c', 1)
    expect(start(q)).toEqual(['b1'])
    expect(q.running).toBe(3)
  })
})

describe('a full queue', () => {
  test('makes room for a holder with less, and takes it from the one with most', () => {
    const q = queue({ maxQueued: 4, places: 1 })
    enter(q, 'a', 3)
    enter(q, 'c', 1)
    expect(q.enter('b', 'b1')).toEqual({ ok: true, displaced: 'a3' })
    expect(q.queued).toBe(4)
    // Two, one and one: nobody has more than the newcomer would.
    expect(q.enter('b', 'b2')).toEqual({ ok: false, full: 'queue' })
    expect(q.enter('a', 'a4')).toEqual({ ok: false, full: 'queue' })
  })

  test('is not what one holder can make of it', () => {
    const q = queue({ maxQueued: 10, maxQueuedPerShare: 3 })
    enter(q, 'a', 3)
    expect(q.enter('a', 'a4')).toEqual({ ok: false, full: 'share' })
    expect(q.enter('b', 'b1')).toEqual({ ok: true, displaced: null })
  })
})

describe('an item', () => {
  test('that is removed was never there', () => {
    const q = queue({ places: 1 })
    enter(q, 'a', 2)
    q.remove('a', 'a1')
    q.remove('a', 'a1')
    q.remove('b', 'a2')
    expect(q.queued).toBe(1)
    expect(start(q)).toEqual(['a2'])
  })

  test('that is put back has its turn again, before the others of its holder', () => {
    const q = queue({ places: 1 })
    enter(q, 'a', 2)
    enter(q, 'b', 1)
    expect(start(q)).toEqual(['a1'])
    q.putBack('a', 'a1')
    expect({ queued: q.queued, running: q.running }).toEqual({ queued: 3, running: 0 })
    expect(start(q)).toEqual(['a1'])
    expect(end(q, 'a')).toEqual(['b1'])
  })

  test('of a drained queue is given back', () => {
    const q = queue()
    enter(q, 'a', 2)
    enter(q, 'b', 1)
    expect(q.drain().sort()).toEqual(['a1', 'a2', 'b1'])
    expect(q.peek()).toBeNull()
    expect(q.queued).toBe(0)
  })
})

test('what a holder had is forgotten after a thousand others, even if none comes twice', () => {
  const q = queue({ places: 1 })
  const turnOf = (share: string): void => {
    enter(q, share, 1)
    expect(start(q)).toEqual([`${share}1`])
    q.end(share)
  }
  /** Who goes first of two that come while another runs; `a` comes before `b`. */
  const firstOf = (a: string, b: string): string => {
    enter(q, 'runs', 1)
    start(q)
    enter(q, a, 1)
    enter(q, b, 1)
    const [first] = end(q, 'runs')
    const [second] = end(q, first === `${a}1` ? a : b)
    q.end(second === `${a}1` ? a : b)
    return first!
  }
  turnOf('a')
  expect(firstOf('a', 'b')).toBe('b1')
  turnOf('c')
  for (let n = 0; n < 2000; n += 1) turnOf(`once ${n}`)
  expect(firstOf('c', 'd')).toBe('c1')
})
