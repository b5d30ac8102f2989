/** Other forms of a page: Markdown with its links, clean markup, links, images, metadata. */
import { describe, expect, it } from 'vitest'
import { PAGE_FORMATS } from '../../../../../plugins/utils/extract/formats.ts'
import { type ExtractOrder, runExtract } from '../../../../../plugins/utils/extract/worker.ts'

function read(content: string, order: Partial<ExtractOrder> = {}) {
  const outcome = runExtract({
    source: 'html',
    content,
    contentType: null,
    url: 'https://example.com/a/',
    formats: PAGE_FORMATS,
    ...order,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}

const PROSE =
  'The harbour was dug out in the spring, and the first ships came in May with timber and salt.'
const PAGE = `<html><head><title>Boats</title><meta name="description" content="About boats">
<meta property="og:type" content="article"><style>.x{display:none}</style></head><body>
<nav><a href="/">Home</a></nav><article><h1>Boats</h1>
<p>${PROSE} See <a href="more.html">the <b>next</b> page</a> or run <code>make *all*</code>.</p>
<h2>What is <em>left</em></h2><ul><li>A <strong>rope</strong></li><li>Two oars</li></ul>
<ol><li>First</li><li>Then</li></ol><blockquote><p>${PROSE}</p></blockquote>
<pre>if (a < b) {\n  go()\n}</pre>
<table><tr><th>Ship</th><th>Year</th></tr><tr><td>Ida | II</td><td>1901</td></tr></table>
<p>It cost 2 * 3_000 [or more]. ${PROSE}</p><p class="x">${PROSE} Hidden.</p>
<img src="pic.jpg" alt="A boat" onerror="steal()"><p><a href="javascript:go()">Click</a> here to go on with it all.</p></article>
<script>track()</script><footer>Imprint</footer></body></html>`

describe('Markdown', () => {
  const { markdown } = read(PAGE).formats!

  it('has the article in its order, with links, lists, code and tables', () => {
    expect(markdown).toBe(
      [
        '# Boats',
        `${PROSE} See [the **next** page](https://example.com/a/more.html) or run \`make *all*\`.`,
        '## What is *left*',
        '- A **rope**\n- Two oars',
        '1. First\n2. Then',
        `> ${PROSE}`,
        '```\nif (a < b) {\n  go()\n}\n```',
        '| Ship | Year |\n| --- | --- |\n| Ida \\| II | 1901 |',
        `It cost 2 \\* 3\\_000 \\[or more\\]. ${PROSE}`,
      ].join('\n\n'),
    )
  })

  it('leads nowhere but to pages', () => {
    expect(markdown).not.toContain('javascript:')
  })

  it('has signs that match where elements reach over blocks', () => {
    const torn = `<article><h1>T</h1><a href="x"><p>${PROSE}</p><p>And ${PROSE}</p></a><p>More of ${PROSE}</p></article>`
    const found = read(torn).formats!.markdown!
    expect(found).toContain(`And ${PROSE}`)
    expect(found).not.toMatch(/\]\(/)
  })
})

describe('other forms', () => {
  const { formats } = read(PAGE)

  it('clean markup has neither scripts, handlers, hidden parts nor furniture', () => {
    expect(formats!.html).toContain('<a href="https://example.com/a/more.html">')
    expect(formats!.html).toContain('<img src="https://example.com/a/pic.jpg" alt="A boat">')
    expect(formats!.html).not.toMatch(/script|onerror|javascript:|Hidden|Home|Imprint|style/)
  })

  it('links, images and metadata are those of the page', () => {
    expect(formats!.links).toContainEqual({
      text: 'the next page',
      url: 'https://example.com/a/more.html',
    })
    expect(formats!.images).toEqual(['https://example.com/a/pic.jpg'])
    expect(formats!.metadata).toMatchObject({ title: 'Boats', description: 'About boats' })
  })

  it('come only as they are asked for, beside a schema too', () => {
    expect(read(PAGE, { formats: undefined }).formats).toBeUndefined()
    const schema = { type: 'object', properties: { isbn: { type: 'string' } } }
    const outcome = read(PAGE, { formats: ['links'], schema })
    expect(Object.keys(outcome.formats!)).toEqual(['links'])
    expect(outcome).toMatchObject({ data: { isbn: null }, isEmpty: false })
  })

  it('of a text are the text', () => {
    const text = read('# Boats\n\nA text.', { source: 'text', url: null })
    expect(text.formats).toEqual({ markdown: '# Boats\n\nA text.' })
  })
})
