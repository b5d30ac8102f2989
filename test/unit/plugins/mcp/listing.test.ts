import { expect, test } from 'vitest'
import { Listing } from '../../../../plugins/mcp/listing.ts'

const INFO = { name: 'Coin-op', title: 'Coin-op', version: '1', websiteUrl: 'https://coinop.test' }
const entries = Array.from({ length: 300 }, (_, index) => {
  const name = `tool${String(index).padStart(3, '0')}`
  return { name, value: { name } }
})
const cursorAfter = (name: string) => Buffer.from(`after:${name}`).toString('base64url')
const namesIn = (text: string): string[] =>
  (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name)

test('the pages together hold every entry once', () => {
  const list = new Listing('tools', entries, INFO)
  const first = list.page('modern', undefined)
  const { nextCursor } = JSON.parse(first.text) as { nextCursor: string }
  const second = list.page('modern', nextCursor)
  expect([...namesIn(first.text), ...namesIn(second.text)]).toEqual(entries.map((one) => one.name))
  expect(JSON.parse(second.text)).not.toHaveProperty('nextCursor')
})

test('a page is kept once, whatever cursor asks for it', () => {
  const list = new Listing('tools', entries, INFO)
  // Names of a caller's own that sort before the first one, and before that of the second page.
  expect(list.page('modern', cursorAfter('!'))).toBe(list.page('modern', undefined))
  expect(list.page('modern', cursorAfter('tool249~'))).toBe(
    list.page('modern', cursorAfter('tool249')),
  )
  expect(list.page('legacy', undefined)).not.toBe(list.page('modern', undefined))
})
