/**
 * utils.extract_batch: many pages in one call, each read as by utils.extract. A page that fails has an
 * error in its place and costs nothing; the price counts the pages that gave a result.
 */
import type { Static } from 'typebox'
import {
  defineSkill,
  ERROR_TABLE,
  type Failure,
  fail,
  KERNEL_REASONS,
  PURE,
  type Skill,
  type SkillContext,
} from '#kernel'
import type { ModelSettings } from '#skillkit'
import { callTime } from '../../shared/call-time.ts'
import { REASONS } from '../reasons.ts'
import type { Browsing } from '../screenshot/browse.ts'
import { BatchInput, BatchOutput } from './contract.ts'
import { extractOne, PAGE_TIMEOUT_MS } from './one.ts'
import { wishProblem } from './skill.ts'

const TIMEOUT_MS = 180_000
/** Left for the answer when pages are given up. */
const ANSWER_MS = 5_000
/** Pages under way at once, and of one site: no site is called by a crowd. */
const AT_ONCE = 8
const OF_ONE_SITE = 3
/** Characters of all results together as JSON; what would go beyond is an error, uncharged. */
const ANSWER_CHARACTERS = 24 * 1024 * 1024

type PageResult = Static<typeof BatchOutput>['results'][number]
interface Page {
  result: PageResult
  isCharged: boolean
}

const siteOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** The details of a failure of one page, whose issues name its address in the call. */
function detailsAt({ details }: Failure, index: number): Failure['details'] {
  if (!details || !Array.isArray(details['issues'])) return details
  const issues = (details['issues'] as { path: string }[]).map((issue) => ({
    ...issue,
    path: issue.path.replace(/^\/url(?=\/|$)/, `/urls/${index}`),
  }))
  return { ...details, issues }
}

function failed(url: string, failure: Failure, index: number): Page {
  const { code, message, retryable } = failure
  const details = detailsAt(failure, index)
  return {
    result: {
      url,
      error: {
        code,
        message,
        retryable: retryable ?? ERROR_TABLE[code].retryable,
        ...(details && { details }),
      },
    },
    isCharged: false,
  }
}
const OUT_OF_TIME = fail('TIMEOUT', 'The page was not read in the time of the call', {
  details: { reason: KERNEL_REASONS.timeout },
})

/**
 * Runs `work` on every address, in order as far as sites have places; the results in the order of
 * `urls`.
 */
async function eachOf<T>(
  urls: readonly string[],
  work: (url: string, index: number) => Promise<T>,
  onDone: (done: number) => void,
): Promise<T[]> {
  const results: T[] = []
  const waiting = urls.map((url, index) => ({ url, index, site: siteOf(url) }))
  const busy = new Map<string, number>()
  const count = (site: string, by: number): void => {
    busy.set(site, (busy.get(site) ?? 0) + by)
  }
  let done = 0
  const running = new Set<Promise<void>>()
  const finish = async (url: string, index: number, site: string): Promise<void> => {
    results[index] = await work(url, index)
    count(site, -1)
    onDone(++done)
  }
  while (waiting.length > 0 || running.size > 0) {
    const free = waiting.findIndex(({ site }) => (busy.get(site) ?? 0) < OF_ONE_SITE)
    if (free < 0 || running.size >= AT_ONCE) {
      await Promise.race(running)
      continue
    }
    const [{ url, index, site }] = waiting.splice(free, 1) as [(typeof waiting)[number]]
    count(site, 1)
    const one = finish(url, index, site).finally(() => running.delete(one))
    running.add(one)
  }
  return results
}

async function run(
  ctx: SkillContext,
  { urls, ...wish }: BatchInput,
  settings: ModelSettings | null,
  browsing: Browsing,
) {
  const time = callTime(ctx.timeoutMs, TIMEOUT_MS)
  const ending = AbortSignal.timeout(time.budgetMs(TIMEOUT_MS - ANSWER_MS))
  // A slow page does not take the time of the others.
  const timeoutMs = Math.min(time.limitMs(PAGE_TIMEOUT_MS), ctx.timeoutMs)
  let characters = 0
  const work = async (url: string, index: number): Promise<Page> => {
    if (ending.aborted || ctx.signal.aborted) return failed(url, OUT_OF_TIME, index)
    const signal = AbortSignal.any([ctx.signal, ending, AbortSignal.timeout(timeoutMs)])
    const fetch: SkillContext['fetch'] = (address, init) => ctx.fetch(address, { ...init, signal })
    const found = await extractOne(
      { ...ctx, jobs: ctx.jobs, signal, timeoutMs, fetch },
      { ...wish, url },
      settings,
      browsing,
    )
    if (!found.ok)
      return failed(url, signal.aborted && !ctx.signal.aborted ? OUT_OF_TIME : found, index)
    const length = JSON.stringify(found.output).length
    if (characters + length > ANSWER_CHARACTERS)
      return failed(
        url,
        fail('PROCESSING_FAILURE', 'The answer has no room left for this page', {
          details: { reason: REASONS.answer_full },
        }),
        index,
      )
    characters += length
    return { result: { url, ...found.output }, isCharged: found.bill !== 'release' }
  }
  const pages = await eachOf(urls, work, (done) =>
    ctx.progress({ progress: done, total: urls.length }),
  )
  const charged = pages.filter(({ isCharged }) => isCharged).length
  return {
    ok: true as const,
    bill: charged === 0 ? ('release' as const) : { units: charged },
    output: {
      results: pages.map(({ result }) => result),
      meta: { charged, failed: pages.filter(({ result }) => result.error).length },
    },
  }
}

/** The skill utils.extract_batch (tool extract.webpages). */
export function batchSkill(
  settings: ModelSettings | null,
  browsing: Browsing,
): Skill<unknown, typeof BatchInput, typeof BatchOutput> {
  return defineSkill<typeof BatchInput, typeof BatchOutput>({
    id: 'utils.extract_batch',
    tools: [{ name: 'extract.webpages' }],
    title: 'Structured data of many web pages',
    description:
      'Up to 100 public pages in one call, each read as by extract.webpage, with a result or an error each. Only pages that gave a result are charged.',
    input: BatchInput,
    output: BatchOutput,
    annotations: { ...PURE, openWorldHint: true },
    example: {
      input: {
        urls: ['https://example.com/', 'https://example.org/'],
        schema: { type: 'object', properties: { title: { type: 'string' } } },
      },
    },
    limits: { timeoutMs: TIMEOUT_MS },
    check: (_ctx, input): Failure | void => wishProblem(input, settings) ?? undefined,
    mostUnits: ({ urls }) => ({ page: urls.length }),
    handler: (ctx, input) => run(ctx, input, settings, browsing),
  })
}
