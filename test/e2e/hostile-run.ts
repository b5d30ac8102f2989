/** Calls for pages of a hostile site, bought of a real gateway: what each comes to and what it costs. */
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { HABITS } from '../support/hostile-site.ts'

/** Ways to have a page drawn, with the credits that a result costs. */
export const WAYS = {
  screenshot: { path: '/v1/utils/screenshot', order: {}, credits: 10 },
  'full page': { path: '/v1/utils/screenshot', order: { fullPage: true }, credits: 10 },
  pdf: { path: '/v1/utils/screenshot', order: { format: 'pdf' }, credits: 10 },
  extract: { path: '/v1/utils/extract', order: { render: true }, credits: 5 },
} as const
export type Way = keyof typeof WAYS

export interface Visit {
  path: string
  way: Way
  /** 'shown', or the `details.reason` of the error; an answer of no such form as it came. */
  end: string
  status: number
  charged: number
  tookMs: number
}

const FUNDS = 50

/** One call with a key of its own, so that what it costs is seen in its balance. */
async function visit(
  gateway: GatewayProcess,
  site: string,
  path: string,
  way: Way,
): Promise<Visit> {
  const { key } = await gateway.key(FUNDS)
  const headers = { 'x-api-key': key }
  const startedAt = performance.now()
  const call = () =>
    gateway.call('POST', WAYS[way].path, {
      body: { url: `http://${site}${path}`, ...WAYS[way].order },
      headers,
    })
  let answer = await call()
  // No doing of the page: the machine stood still, and callers are told to try again.
  for (let again = 0; again < 2 && isSlowStart(answer); again += 1) answer = await call()
  const tookMs = performance.now() - startedAt
  const { credits } = (await gateway.call('GET', '/v1/credits/balance', { headers })).json
  const reason: unknown = answer.json?.error?.details?.reason
  const end =
    answer.status === 200
      ? 'shown'
      : typeof reason === 'string' && typeof answer.json.error.message === 'string'
        ? reason
        : `${answer.status} ${answer.text.slice(0, 200)}`
  return { path, way, end, status: answer.status, charged: FUNDS - credits, tookMs }
}

const isSlowStart = ({ json }: Answer): boolean =>
  json?.error?.retryable === true && /browser does not start/.test(json.error.message)

/** Calls under way at once: one for each browser, so that nobody's time passes in line. */
const AT_ONCE = 4

/** The pages one after another, each at a site of its own while there are enough; as `visits`. */
export async function visitAll(
  gateway: GatewayProcess,
  sites: readonly string[],
  visits: readonly (readonly [path: string, way: Way])[],
): Promise<Visit[]> {
  const seen: Visit[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < visits.length; at = next++) {
      const [path, way] = visits[at]!
      seen[at] = await visit(gateway, sites[at % sites.length]!, path, way)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return seen
}

/** What is wrong about a visit: an end that the page does not have, or a price of no result. */
export function wrongOf({ path, way, end, charged }: Visit): string | null {
  const { ends } = HABITS[path]!
  if (!ends.includes(end)) return `${way} ${path}: ${end}, expected ${ends.join(' or ')}`
  // A result that shows nothing is not charged.
  const isRight = charged === 0 || (end === 'shown' && charged === WAYS[way].credits)
  return isRight ? null : `${way} ${path}: ${end} was charged ${charged} credits`
}

export interface BatchVisit {
  tookMs: number
  charged: number
  /** Addresses by what came of them: 'data', or the reason of the error. */
  outcomes: { [outcome: string]: number }
  /** What the answer itself says. */
  meta: { charged: number; failed: number }
}

/** One batch of as many sites as `sites` names; every other one answers never, or drips. */
export async function visitMany(
  gateway: GatewayProcess,
  sites: readonly string[],
): Promise<BatchVisit> {
  const funds = sites.length * WAYS.extract.credits
  const { key } = await gateway.key(funds)
  const headers = { 'x-api-key': key }
  const bad = ['/never', '/drip', '/head-drip']
  const urls = sites.map(
    (site, at) => `http://${site}${at % 2 === 0 ? bad[(at / 2) % bad.length] : '/plain'}`,
  )
  const startedAt = performance.now()
  const answer = await gateway.call('POST', '/v1/utils/extract/batch', { body: { urls }, headers })
  const tookMs = performance.now() - startedAt
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
  const outcomes: BatchVisit['outcomes'] = {}
  answer.json.results.forEach((result: any, at: number) => {
    if (result.url !== urls[at]) throw new Error(`Result ${at} is of ${result.url}`)
    const outcome = result.error ? String(result.error.details?.reason) : 'data'
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  })
  const { credits } = (await gateway.call('GET', '/v1/credits/balance', { headers })).json
  return { tookMs, charged: funds - credits, outcomes, meta: answer.json.meta }
}
