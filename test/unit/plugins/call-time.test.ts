/** An operator's `limits.timeout` changes every limit inside of the skills. */
import { expect, it } from 'vitest'
import type { JobOptions, SkillContext } from '../../../kernel/index.ts'
import { docintelSkills } from '../../../plugins/docintel/skills.ts'
import { diffSkill } from '../../../plugins/utils/diff/skill.ts'
import { batchSkill } from '../../../plugins/utils/extract/batch.ts'
import { extractSkill } from '../../../plugins/utils/extract/skill.ts'
import { pdfSkill } from '../../../plugins/utils/pdf/skill.ts'
import { schemaSkill } from '../../../plugins/utils/schema/skill.ts'
import { browse, type Browsing } from '../../../plugins/utils/screenshot/browse.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
/** What a skill that is given `timeoutMs` allows its parts; its jobs and pages are never done. */
async function allowed(
  skill: { limits?: { timeoutMs?: number }; handler(ctx: never, input: never): unknown },
  input: unknown,
  share: number,
): Promise<Record<string, number | undefined>> {
  const found: Record<string, number | undefined> = {}
  const ctx: Partial<SkillContext> = {
    config: {},
    log: silent,
    signal: new AbortController().signal,
    timeoutMs: skill.limits!.timeoutMs! * share,
    caller: { rail: 'test', isHeld: true, mode: 'test', share: 'test' },
    now: () => new Date(0),
    progress: () => undefined,
    jobs: {
      run: async (_module, _handler, order, { timeoutMs }: JobOptions) => {
        const { ocrBudgetMs, ocrMs = ocrBudgetMs } = order as Record<string, number>
        Object.assign(found, { job: timeoutMs, ...(ocrMs !== undefined && { ocr: ocrMs }) })
        return { ok: false, reason: 'timeout', message: '' }
      },
    },
    fetch: async (url, init) => {
      found['fetch'] = init?.timeoutMs
      const body = new TextEncoder().encode('A: 1')
      return { ok: true, status: 200, url, headers: new Headers(), body }
    },
  }
  await skill.handler(ctx as never, input as never)
  return found
}

it('jobs, pages and recognition have longer in a longer call', async () => {
  const none = {} as Browsing
  const page = { url: 'http://a.example/' }
  const text = { text: 'Total 1.00' }
  const [receipt] = docintelSkills(null)
  const rows = [
    [receipt!, text, { job: 45_000, ocr: 34_000 }],
    [pdfSkill(), { pdf: btoa('%PDF-1.7') }, { job: 50_000, ocr: 36_000 }],
    [diffSkill(), { before: {}, after: {} }, { job: 30_000 }],
    [schemaSkill(), { sample: {} }, { job: 10_000 }],
    [extractSkill(null, none), page, { fetch: 15_000, job: 25_000 }],
    [batchSkill(null, none), { urls: [page.url] }, { fetch: 15_000, job: 25_000 }],
  ] as const
  for (const [skill, input, usual] of rows) {
    expect(await allowed(skill, input, 1), skill.id).toEqual(usual)
    const doubled = Object.entries(usual).map(([name, ms]) => [name, 2 * ms])
    expect(await allowed(skill, input, 2), skill.id).toEqual(Object.fromEntries(doubled))
    // The end of the call ends a job; what gives a part of the answer has to end before.
    const halved = { ...usual, ...('ocr' in usual && { ocr: usual.ocr / 2 }) }
    expect(await allowed(skill, input, 0.5), skill.id).toEqual(halved)
  }
})

it('a page is shown for as long as the call allows', async () => {
  const shown: number[] = []
  const browsing = {
    outbound: {
      check: async (url: string) => ({ ok: true, url: new URL(url) }),
      robots: async () => ({ ok: true }),
    },
    keeper: { use: async (work: (...given: unknown[]) => unknown) => work(null, null) },
  } as unknown as Browsing
  for (const timeoutMs of [60_000, 120_000, 3_000]) {
    const ctx = { timeoutMs, caller: { share: 'test' }, log: silent } as unknown as SkillContext
    await browse(ctx, browsing, 'http://a.example/', async (_browser, _url, options) => {
      shown.push(options.timeoutMs)
      return null
    })
  }
  expect(shown).toEqual([45_000, 90_000, 2_250])
})
