/** What the pages say where nobody can sign in safely. */
import { fail, type Route } from '#kernel'
import { pageHeaders } from '../shared/pages/headers.ts'
import { styleText } from './assets.ts'
import { problemPage, type PageFacts } from './documents/layout.ts'
import { FOLDER } from './site.ts'
import { TABS } from './tabs.ts'

const BASE = { method: 'GET', auth: 'public', tag: 'Account pages', sameOrigin: true } as const

/** The pages, each of which tells why the portal is closed. */
export function closedRoutes(facts: PageFacts): Route[] {
  const message = `The account pages are closed: ${facts.site.closedBecause}.`
  const pages = [...TABS.map(({ path }) => path), 'sign-in'].map((path): Route => ({
    ...BASE,
    path: path === '' ? FOLDER : `${FOLDER}/${path}`,
    summary: 'Why the account pages are closed',
    handler: ({ requestId }) =>
      problemPage(facts, { status: 503, title: 'Closed', message, requestId }),
  }))
  return [
    ...pages,
    {
      ...BASE,
      path: `${FOLDER}/account.css`,
      summary: 'A part of the account pages',
      handler: async () => new Response(await styleText(), { headers: pageHeaders('text/css') }),
    },
    {
      ...BASE,
      path: `${FOLDER}/api/me`,
      summary: 'Why the account pages are closed',
      handler: () => fail('PROCESSING_FAILURE', message, { status: 503 }),
    },
  ]
}
