import { beforeEach, describe, expect, it } from 'vitest'
import { FreshCache, ROW_AGE_MAX_MS } from '../../../kernel/auth/key-rows.ts'

interface Row {
  keyId: string
  version: number
}

let nowMs = 0
let stored: Map<string, Row>
let loads: number
let cache: FreshCache<Row>
beforeEach(() => {
  nowMs = 0
  loads = 0
  stored = new Map([['a', { keyId: 'key_a', version: 1 }]])
  const load = async (id: string): Promise<Row | null> => {
    loads++
    const row = stored.get(id) ?? null
    await Promise.resolve()
    return row
  }
  cache = new FreshCache(load, () => nowMs)
})

describe('fresh cache', () => {
  it('never serves a row that is a second old', async () => {
    expect((await cache.get('a'))?.version).toBe(1)
    stored.set('a', { keyId: 'key_a', version: 2 })
    nowMs = ROW_AGE_MAX_MS
    expect((await cache.get('a'))?.version).toBe(2)
    expect(ROW_AGE_MAX_MS).toBeLessThanOrEqual(1000)
  })

  it('counts the age from before the load, however long that took', async () => {
    let answer: (row: Row) => void = () => {}
    const slow = new FreshCache<Row>(
      () => new Promise((resolve) => (answer = resolve)),
      () => nowMs,
    )
    const first = slow.get('a')
    nowMs = ROW_AGE_MAX_MS
    answer({ keyId: 'key_a', version: 1 })
    await first
    expect(slow.get('a')).toBeInstanceOf(Promise)
  })

  it('answers at once from memory, and refreshes a row in use before it is too old', async () => {
    await cache.get('a')
    expect(cache.get('a')).toEqual({ keyId: 'key_a', version: 1 })
    expect(loads).toBe(1)
    stored.set('a', { keyId: 'key_a', version: 2 })
    nowMs = ROW_AGE_MAX_MS - 1
    expect(cache.get('a')).toEqual({ keyId: 'key_a', version: 1 })
    await Bun.sleep(0)
    expect(cache.get('a')).toEqual({ keyId: 'key_a', version: 2 })
    expect(loads).toBe(2)
  })

  it('remembers for as long that there is no row', async () => {
    expect(await cache.get('b')).toBeNull()
    expect(cache.get('b')).toBeNull()
    expect(loads).toBe(1)
    nowMs = ROW_AGE_MAX_MS
    stored.set('b', { keyId: 'key_b', version: 1 })
    expect(await cache.get('b')).toEqual({ keyId: 'key_b', version: 1 })
  })

  it('loads once for all who ask together', async () => {
    await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])
    expect(loads).toBe(1)
  })

  it('forgets a key at once, also one whose row is on its way', async () => {
    const early = cache.get('a')
    stored.set('a', { keyId: 'key_a', version: 2 })
    cache.forget('key_a')
    await early
    expect((await cache.get('a'))?.version).toBe(2)
    stored.set('a', { keyId: 'key_a', version: 3 })
    cache.forget('key_other')
    expect(cache.get('a')).toEqual({ keyId: 'key_a', version: 2 })
    cache.forget('key_a')
    expect((await cache.get('a'))?.version).toBe(3)
  })

  it('reports a failed load and tries anew', async () => {
    let fails = true
    const flaky = new FreshCache<Row>(
      async () => {
        if (fails) throw new Error('away')
        return { keyId: 'key_a', version: 1 }
      },
      () => nowMs,
    )
    await expect(flaky.get('a')).rejects.toThrow('away')
    fails = false
    expect((await flaky.get('a'))?.version).toBe(1)
  })
})
