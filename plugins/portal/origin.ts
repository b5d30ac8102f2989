/** Whether one of these pages sent a request. */
import { fail, type Failure } from '#kernel'
import { REASONS } from './reasons.ts'
import { isSame } from './secrets.ts'
import type { Site } from './site.ts'

/** Header of the pages' own scripts: pages of other origins cannot add it. */
const SCRIPT_HEADER = 'x-coinop-account'

/** Null for a form of these pages whose field `csrf` is the expected one; else 403. */
export function refusalOfForm(
  request: Request,
  site: Site,
  form: URLSearchParams,
  csrf: string,
): Failure | null {
  if (!isFromHere(request, site)) return foreign(site)
  return isSame(form.get('csrf') ?? '', csrf) ? null : foreign(site)
}

/** Null for a request of these pages' scripts; else 403. */
export function refusalOfScript(request: Request, site: Site): Failure | null {
  if (request.headers.get(SCRIPT_HEADER) !== '1') return foreign(site)
  return isFromHere(request, site) ? null : foreign(site)
}

function isFromHere({ headers }: Request, site: Site): boolean {
  const fetchSite = headers.get('sec-fetch-site')
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') return false
  const origin = headers.get('origin')
  // Reading requests of a page's own origin have none; 'null' is another origin.
  return origin === null || origin === site.origin
}

function foreign({ uri }: Site): Failure {
  return fail(
    'INVALID_INPUT',
    `Only the account pages themselves may ask this, at ${uri}; reload the page there and try again`,
    { status: 403, details: { reason: REASONS.foreign_page } },
  )
}
