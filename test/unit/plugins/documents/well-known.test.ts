/** The catalog of APIs and security.txt, from what the operator has set and what is mounted. */
import { expect, it } from 'vitest'
import {
  apiCatalog,
  securityTxt,
  wellKnownRoutes,
} from '../../../../plugins/documents/well-known.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const facts = {
  publicUrl: 'https://gw.example',
  contactEmail: 'a@b.example',
  operator: NO_OPERATOR,
}
const deps = { facts, paths: () => new Set<string>(), rails: () => [] }
const hrefs = (links: readonly { href: string }[] = []) => links.map(({ href }) => href)
// oxlint-disable-next-line typescript/no-explicit-any
const linkset = (of: typeof deps): any[] => (apiCatalog(of) as any).linkset

it('the catalog names what is mounted and whose it is', () => {
  const [api, ...others] = linkset(deps)
  expect(others).toEqual([])
  expect(api.anchor).toBe('https://gw.example/')
  expect(hrefs(api['service-desc'])).toEqual(['https://gw.example/openapi.json'])
  expect(hrefs(api['service-doc'])).toEqual(['https://gw.example/llms.txt'])
  expect(api).not.toHaveProperty('terms-of-service')

  const [whole, mcp] = linkset({
    ...deps,
    facts: { ...facts, operator: { ...NO_OPERATOR, termsUrl: 'https://b.example/terms' } },
    paths: () => new Set(['/docs', '/mcp']),
  })
  expect(hrefs(whole['service-doc'])).toEqual([
    'https://gw.example/docs',
    'https://gw.example/llms.txt',
  ])
  expect(hrefs(whole['terms-of-service'])).toEqual(['https://b.example/terms'])
  expect(mcp.anchor).toBe('https://gw.example/mcp')
})

it('security.txt names the operator’s address and an end within a year', () => {
  expect(securityTxt(facts, Date.parse('2026-11-30T11:00:00Z'))).toBe(
    'Contact: mailto:a@b.example\nExpires: 2027-02-28T00:00:00.000Z\nCanonical: https://gw.example/.well-known/security.txt\n',
  )
})

it('there is no security.txt while CONTACT_EMAIL is nobody’s', () => {
  const paths = (contactEmail: string) =>
    wellKnownRoutes({ ...deps, facts: { ...facts, contactEmail } }).map(({ path }) => path)
  expect(paths('operator@localhost')).toEqual(['/.well-known/api-catalog'])
  expect(paths('a@b.example')).toContain('/.well-known/security.txt')
})
