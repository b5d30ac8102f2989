/** The documents of the account pages and what they are made of. */
import type { Route } from '#kernel'
import { pageHeaders } from '../shared/pages/headers.ts'
import { accountScript, signInScript, styleText } from './assets.ts'
import { appResponse, type PageFacts } from './documents/layout.ts'
import type { People } from './people.ts'
import { signInUrl, FOLDER } from './site.ts'
import { seeOther } from './answers.ts'
import { TABS } from './tabs.ts'

/** Places of one thing inside of a tab. */
const ONES = ['keys/{id}', 'apps/{id}', 'calls/{id}', 'webhooks/{id}', 'deliveries/{id}']

const BASE = { method: 'GET', auth: 'public', tag: 'Account pages', sameOrigin: true } as const

export function documentRoutes(facts: PageFacts, people: Pick<People, 'of'>): Route[] {
  const { site } = facts
  const places = [...TABS.map(({ path }) => path), ...ONES]
  const pages = places.map((path): Route => ({
    ...BASE,
    path: path === '' ? FOLDER : `${FOLDER}/${path}`,
    summary: 'A page of the account',
    handler: async (asked) => {
      if ((await people.of(asked)) !== null) return appResponse(facts)
      const { pathname, search } = new URL(asked.request.url)
      return seeOther(signInUrl(site, site.home + pathname.slice(FOLDER.length) + search))
    },
  }))
  const asset = (name: string, type: string, text: () => Promise<string>): Route => ({
    ...BASE,
    path: `${FOLDER}/${name}`,
    summary: 'A part of the account pages',
    handler: async () => new Response(await text(), { headers: pageHeaders(type) }),
  })
  return [
    ...pages,
    {
      ...BASE,
      path: `${FOLDER}/`,
      summary: 'Leads to the account',
      handler: async () => seeOther(site.home),
    },
    asset('account.js', 'text/javascript', accountScript),
    asset('sign-in.js', 'text/javascript', signInScript),
    asset('account.css', 'text/css', styleText),
  ]
}
