/**
 * Words of the OpenAPI description that follow from facts of a route or name its group: who may ask,
 * what counts against which rate, how large a body may be.
 */
import { DEFAULT_BODY_BYTES, type Route } from '#kernel'

/** What the groups of the kernel's own routes hold. */
const KERNEL_TAGS: Readonly<Record<string, string>> = {
  Meta: 'What the gateway is, whether it works and what it counts.',
  Keys: 'API keys: made, limited, rotated and revoked by the operator.',
  Accounts: 'Balances that several keys share, with budgets, marks and the events about them.',
  Credits: 'Holding, charging and giving back prepaid credits, for work that is done elsewhere.',
  Ledger: 'Rows of the double-entry ledger: what was held, charged, credited and refunded.',
  Prices: 'The versioned price table, and what a call would cost.',
  Products: 'What is sold here, and the specifications behind it.',
}

const AUDIENCE: Readonly<Record<Route['auth'], string>> = {
  public: 'Open to everybody.',
  key: 'For the holder of an API key: as `X-Api-Key` or as bearer.',
  admin: 'For the operator: the admin token as bearer.',
}

/** What a group of routes is for: of products as `ofProducts` says, of the kernel's own by the table. */
export function tagDescription(name: string, ofProducts: ReadonlyMap<string, string>): string {
  return ofProducts.get(name) || KERNEL_TAGS[name] || `Routes of ${name}.`
}

/** What is said of a route beyond its summary: its own description, then what follows from its facts. */
export function routeDescription(route: Route): string {
  return [
    route.description,
    AUDIENCE[route.auth],
    route.forOperators && 'Where ADMIN_URL is set it answers there alone.',
    rateSentence(route),
    route.sameOrigin && 'Pages of other origins may not read the answer.',
    route.input &&
      `The body has at most ${sizeText(route.bodyBytes ?? DEFAULT_BODY_BYTES)}; a larger one is 413.`,
    route.statuses?.includes(304) &&
      'With the `ETag` as `If-None-Match` an unchanged answer is 304.',
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

function rateSentence({ auth, rateLimited }: Route): string | null {
  if (!rateLimited) return null
  if (rateLimited === 'ends_hold')
    return 'It has a rate of its own, so that a key at its limit can still end its holds.'
  return auth === 'key'
    ? "It counts against the key's rate as a paid call does."
    : "It counts against the rate of the caller's address."
}

function sizeText(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${Math.floor(bytes / 1024)} KiB`
}
