/** Forms as routes of plugins read them: what is not UTF-8 is refused, and never read as U+FFFD. */
import { expect, it } from 'vitest'
import type { RouteRequest } from '#kernel'
import { readForm as readOAuthForm } from '../../../plugins/oauth/form.ts'
import { readForm } from '../../../plugins/shared/request-body.ts'

const FORM = 'application/x-www-form-urlencoded'

function asked(body: string | Uint8Array, type = FORM): RouteRequest {
  const request = new Request('http://localhost/', { headers: { 'content-type': type } })
  return { request, bytes: async () => Buffer.from(body) } as unknown as RouteRequest
}

it.each([
  ['raw', 'name=J\u00fcrgen&sum=5 %'],
  ['escaped, in either case', 'name=J%C3%bcrgen&sum=5+%25'],
])('a form whose text is %s is read as it was sent', async (_, body) => {
  const read = await readForm(asked(body, 'Application/X-WWW-Form-urlencoded ; charset=utf-8'))
  if (!read.ok) throw new Error(read.message)
  expect([...read.form]).toEqual([
    ['name', 'J\u00fcrgen'],
    ['sum', '5 %'],
  ])
})

it.each([
  [
    'raw bytes that are not UTF-8',
    Buffer.from([0x61, 0x3d, 0xfc]),
    FORM,
    `must be a form (${FORM}) in UTF-8`,
  ],
  ['escaped bytes that are not UTF-8', 'a=J%FCrgen', FORM, 'must escape UTF-8 only'],
  ['a file', Buffer.from('%PDF'), 'application/pdf', `The body must be a form (${FORM})`],
])('%s: refused, on pages and in the words of OAuth', async (_, body, type, message) => {
  const read = await readForm(asked(body, type))
  expect(read).toMatchObject({ ok: false, code: 'INVALID_INPUT' })
  expect(read.ok ? '' : read.message).toContain(message)
  const oauth = await readOAuthForm(asked(body, type))
  expect(oauth).toMatchObject({ ok: false, error: 'invalid_request' })
  expect(oauth.ok ? '' : oauth.description).toContain(message)
})
