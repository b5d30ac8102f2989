/** What keeps the work on large pages in proportion to their size. */
import { describe, expect, it } from 'vitest'
import {
  byTag,
  parsePage,
  textOf,
  textSizes,
} from '../../../../../plugins/utils/extract/dom/tree.ts'
import { readArticle } from '../../../../../plugins/utils/extract/article/readability.ts'
import { namesOf } from '../../../../../plugins/utils/extract/article/names.ts'
import { stylesOf } from '../../../../../plugins/utils/extract/dom/styles.ts'
import { moneyIn, priceIn } from '../../../../../plugins/utils/extract/fields/numbers.ts'
import { pairsOfPage } from '../../../../../plugins/utils/extract/fields/pairs.ts'

describe('the size of the text below an element', () => {
  const page = parsePage(
    '<div>one <b>two</b><sup>9</sup><script>var x</script><p>three\u00a0\u200b four</p></div><p></p>',
  )
  it('is never more than that of its text', () => {
    const sizeOf = textSizes(page)
    for (const element of byTag(page, 'div', 'b', 'sup', 'script', 'p'))
      expect(sizeOf(element)).toBeLessThanOrEqual(textOf(element).length)
  })
  it('counts what is seen', () => {
    const sizeOf = textSizes(page)
    expect(byTag(page, 'div', 'p').map(sizeOf)).toEqual([15, 9, 0])
  })
})

describe('what Readability reads', () => {
  const wrapped = (depth: number, paragraphs: number, text: string): string =>
    `${'<div>'.repeat(depth)}${`<p>${text}</p>`.repeat(paragraphs)}${'</div>'.repeat(depth)}`
  const reads = (html: string): boolean => readArticle(parsePage(html), () => false) !== null
  const sentence = 'The pump starts, it runs for an hour, and then it stops. '
  it('is a long article in a few wrappers', () => {
    expect(reads(wrapped(10, 2000, sentence))).toBe(true)
  })
  it('is no page whose many wrappers hold each other and many elements', () => {
    expect(reads(wrapped(200, 1000, 'The pump'))).toBe(false)
  })
  it('is no page whose many wrappers hold much text', () => {
    expect(reads(wrapped(100, 4, sentence.repeat(200)))).toBe(true)
    expect(reads(wrapped(100, 4, sentence.repeat(1000)))).toBe(false)
  })
})

describe('an amount of money', () => {
  const run = '1,2 3,4 '.repeat(20)
  it('is no row of a table of numbers', () => {
    expect(moneyIn(`${run}5 EUR`)?.length).toBeLessThanOrEqual(30)
    expect(priceIn(`€ ${run}`)?.length).toBeLessThanOrEqual(30)
  })
  it('is found behind one', () => {
    expect(moneyIn(`${run}| $12.50`)).toBe('$12.50')
  })
})

it('lists in lists give each pair once, under the label of their own list', () => {
  const page = parsePage(
    '<dl><dt>Colour</dt><dd>red</dd><dd><dl><dt>Size</dt><dd>12 cm</dd></dl></dd><dd>blue</dd></dl>',
  )
  const pairs = pairsOfPage(page, [])
  expect(pairs.filter(({ label }) => label === 'Size').map(({ value }) => value)).toEqual(['12 cm'])
  expect(pairs.filter(({ label }) => label === 'Colour').map(({ value }) => value)).toContain(
    'blue',
  )
})

it('styles of equal names are the same, and an attribute wins', () => {
  const page = parsePage(
    '<style>.a{color:red;width:1px}.a{color:blue}p.a{width:2px}</style><p class="a">x</p><p class="a" style="color:green">y</p><p class="b">z</p>',
  )
  const styles = stylesOf(page)
  const [first, second, third] = byTag(page, 'p').map((one) => Object.fromEntries(styles.of(one)))
  expect(first).toEqual({ color: 'blue', width: '2px' })
  expect(second).toEqual({ color: 'green', width: '2px' })
  expect(third).toEqual({})
})

it('a text of thousands of letters is no byline to its end', () => {
  const names = namesOf(`${'Jane Doe, '.repeat(300)}Zoe Last`)
  expect(names).toContain('Jane Doe')
  expect(names).not.toContain('Zoe Last')
})
