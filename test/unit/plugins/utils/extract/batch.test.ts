/** Many pages in one call: a result or an error each, and units for those that said something. */
import { describe, expect, it } from 'vitest'
import type { SkillContext } from '../../../../../kernel/plugins/skill.ts'
import { batchSkill } from '../../../../../plugins/utils/extract/batch.ts'
import { type ExtractOrder, runExtract } from '../../../../../plugins/utils/extract/worker.ts'

const skill = batchSkill(null, {} as never)
const page = (title: string): string =>
  `<title>${title}</title><article><h1>${title}</h1><p>Some text of some length.</p></article>`

interface Site {
  answer?: (url: string) => string | number | Error
  /** Awaited by each fetch, which counts as under way meanwhile. */
  gate?: (url: string) => Promise<void>
}

function contextOf({ answer = () => page('A'), gate = async () => {} }: Site) {
  const most = { all: 0, site: 0 }
  const busy: string[] = []
  const told: number[] = []
  const ctx: Partial<SkillContext> = {
    signal: new AbortController().signal,
    timeoutMs: 180_000,
    progress: ({ progress }) => void told.push(progress),
    jobs: {
      run: async (_module, _handler, input) =>
        ({ ok: true, value: runExtract(input as ExtractOrder) }) as never,
    },
    fetch: async (url) => {
      busy.push(url)
      most.all = Math.max(most.all, busy.length)
      const { host } = new URL(url)
      const near = busy.filter((one) => new URL(one).host === host).length
      most.site = Math.max(most.site, near)
      await gate(url)
      busy.splice(busy.indexOf(url), 1)
      const given = answer(url)
      if (given instanceof Error)
        return { ok: false, reason: 'ssrf', message: given.message } as never
      const [status, body] = typeof given === 'number' ? [given, ''] : [200, given]
      return {
        ok: true,
        status,
        url,
        headers: new Headers({ 'content-type': 'text/html' }),
        body: new TextEncoder().encode(body),
      } as never
    },
  }
  return { ctx: ctx as SkillContext, most, told }
}

describe('a batch of pages', () => {
  it('has a result or an error in the place of each, and counts what gave something', async () => {
    const { ctx, told } = contextOf({
      answer: (url) =>
        url.endsWith('/gone')
          ? 410
          : url.endsWith('/inside')
            ? new Error('not public')
            : url.endsWith('/empty')
              ? ''
              : page(url.slice(-1)),
    })
    const urls = ['1', 'gone', 'empty', 'inside', '2'].map((path) => `http://a.example/${path}`)
    const given = await skill.handler(ctx, { urls, schema: { title: 'string' } })
    expect(given).toMatchObject({
      ok: true,
      bill: { units: 2 },
      output: {
        results: [
          { url: urls[0], data: { title: '1' }, meta: { url: urls[0] } },
          { error: { code: 'UPSTREAM_FAILURE', retryable: false, details: { status: 410 } } },
          { data: { title: null }, meta: { warnings: [{ code: 'nothing_found' }] } },
          {
            error: {
              code: 'INVALID_INPUT',
              details: { reason: 'ssrf', issues: [{ path: '/urls/3' }] },
            },
          },
          { url: urls[4], data: { title: '2' } },
        ],
        meta: { charged: 2, failed: 2 },
      },
    })
    expect(told).toEqual([1, 2, 3, 4, 5])
  })

  it('costs nothing when no page gave anything', async () => {
    const { ctx } = contextOf({ answer: () => 500 })
    const given = await skill.handler(ctx, { urls: ['http://a.example/'] })
    expect(given).toMatchObject({
      bill: 'release',
      output: { results: [{ error: { retryable: true } }], meta: { charged: 0, failed: 1 } },
    })
  })

  it('reads eight at once, three of one site, and keeps the order', async () => {
    const waiting: (() => void)[] = []
    const { ctx, most } = contextOf({
      answer: (url) => page(url),
      gate: () => new Promise((go) => waiting.push(go)),
    })
    const urls = Array.from({ length: 24 }, (_, i) => `http://site${i % 4}.example/${i}`)
    const state = { isDone: false }
    const call = skill.handler(ctx, { urls, schema: { title: 'string' } }).finally(() => {
      state.isDone = true
    })
    while (!state.isDone) {
      // The last come first, so that the results are not in order by chance.
      waiting.pop()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const given = await call
    expect(
      given.ok && given.output.results.map(({ data }) => (data as { title: string }).title),
    ).toEqual(urls)
    expect(most).toEqual({ all: 8, site: 3 })
  })

  it('reads no further page once the caller has gone', async () => {
    const caller = new AbortController()
    let fetched = 0
    const { ctx } = contextOf({
      gate: async () => {
        fetched++
        caller.abort()
      },
    })
    const urls = Array.from({ length: 30 }, (_, i) => `http://site${i}.example/`)
    const given = await skill.handler({ ...ctx, signal: caller.signal }, { urls })
    expect(fetched).toBe(1)
    expect(given).toMatchObject({ output: { results: { length: 30 } } })
  })

  it('promises a page per address and refuses what no page takes', () => {
    expect(skill.mostUnits!({ urls: ['http://a.example/', 'http://b.example/'] })).toEqual({
      page: 2,
    })
    const check = (input: object) =>
      skill.check!({} as SkillContext, { urls: ['http://a.example/'], ...input })
    expect(check({ wait_for: 100 })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(check({ render: true, headers: { accept: 'text/html' } })).toMatchObject({ ok: false })
    expect(check({ require_llm: true })).toMatchObject({ code: 'PROCESSING_FAILURE' })
    expect(check({})).toBeUndefined()
  })

  it('names each header whose value no HTTP field can have', () => {
    const check = (headers: Record<string, string>) =>
      skill.check!({} as SkillContext, { urls: ['http://a.example/'], headers })
    const headers = { cookie: 'a\r\nb', referer: '\u20ac', authorization: 'a\u0000', accept: 'x' }
    expect(check(headers)).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        issues: [
          { path: '/headers/cookie' },
          { path: '/headers/referer' },
          { path: '/headers/authorization' },
        ],
      },
    })
    expect(check({ cookie: 'a=\tb', 'accept-language': '\u00e9', referer: '' })).toBeUndefined()
  })
})
