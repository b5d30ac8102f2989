/** What `coinop product import` says of operations that it left out. */
import { expect, it } from 'vitest'
import { summed } from '../../../../plugins/proxy/import.ts'

const untagged = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `GET /${i}: it has no tag pets`)

it('names up to five operations of other tags', () => {
  expect(summed(untagged(5))).toEqual(untagged(5))
})

it('counts more of them in one line, and names what was left out for another reason', () => {
  const other = 'POST /upload: its body is not JSON'
  expect(summed([...untagged(3), other, ...untagged(3)])).toEqual([
    other,
    '6 operations: it has no tag pets',
  ])
})

it('counts operations with one other reason in one line, with their places', () => {
  const files = Array.from({ length: 6 }, (_, i) => `POST /${i}: its body is image/png`)
  expect(summed([...files, 'the credentials key: say them'])).toEqual([
    '6 operations: its body is image/png: POST /0, POST /1, POST /2, POST /3, POST /4, POST /5',
    'the credentials key: say them',
  ])
})
