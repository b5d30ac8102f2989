/** What other plugins get of the portal: who is signed in, and pages in its look. */
import type { PortalSession, PortalSessions } from '../shared/portal/contract.ts'
import { pageResponse, type PageFacts } from './documents/layout.ts'
import { refusalOfForm } from './origin.ts'
import type { People } from './people.ts'
import { signInUrl } from './site.ts'

export function portalSessions(people: People, facts: PageFacts): PortalSessions {
  const { site } = facts
  return {
    session: (asked) => people.of(asked),
    signInUrl: (next) => signInUrl(site, next),
    checkPost: (request: Request, session: PortalSession, form: URLSearchParams) =>
      refusalOfForm(request, site, form, session.csrf),
    page: (page) => pageResponse(facts, page),
  }
}
