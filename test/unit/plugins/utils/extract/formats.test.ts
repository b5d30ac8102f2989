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

  it('has the rows of the table that is most of a page', () => {
    const row = (at: number): string =>
      `<tr><td>Key ${at}</td><td>Move the cursor, or the page, or both, ${at} lines down.</td></tr>`
    const table = (rows: number): string =>
      `<div><table><thead><tr><th>Key</th><th>Does</th></tr></thead><tbody>${Array.from({ length: rows }, (_, at) => row(at)).join('')}</tbody></table></div>`
    const { formats } = read(
      `<title>Keys</title><body><h1>Keys</h1><p>Keys of all kinds.</p><h2>Move</h2>${table(60)}<h2>Edit</h2>${table(20)}`,
    )
    expect(formats!.markdown).toContain(
      '| Key 7 | Move the cursor, or the page, or both, 7 lines down. |',
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

describe('Markdown of an article', () => {
  const formOf = (body: string): string =>
    read(
      `<html><head><title>Boats</title></head><body><article><h1>Boats</h1><p>${PROSE} ${PROSE}</p>${body}<p>${PROSE} The end.</p></article></body></html>`,
    )
      .formats!.markdown!.split('\n\n')
      .slice(2, -1)
      .join('\n\n')
  const paragraphs = (...texts: string[]): string => texts.map((text) => `<p>${text}</p>`).join('')

  it.each([
    [
      'a table whose cells hold paragraphs',
      `<table><tr><th><p>Option</p></th><th><p>Meaning</p></th></tr><tr><td><p><code>-v</code></p></td><td>${paragraphs('Loud.', 'Twice: louder.')}</td></tr></table>`,
      '| Option | Meaning |\n| --- | --- |\n| `-v` | Loud.<br>Twice: louder. |',
    ],
    [
      'cells over several columns and rows',
      '<table><tr><th colspan="2">Name</th><th>Port</th></tr><tr><td>Ida</td><td>II</td><td rowspan="2">Kiel</td></tr><tr><td>Eva</td><td>IV</td></tr><tr><td rowspan="2">Ute</td><td>I</td><td>Wismar</td></tr><tr><td>II</td><td>Stade</td></tr></table>',
      '| Name | | Port |\n| --- | --- | --- |\n| Ida | II | Kiel |\n| Eva | IV |\n| Ute | I | Wismar |\n| | II | Stade |',
    ],
    [
      'items of several blocks, which keep their numbers',
      `<ol start="3"><li>${paragraphs('Cast off.', 'Mind the rope.')}</li><li><p>Row.</p><pre>row &amp;\n  go</pre></li><li>Land.</li></ol>`,
      '3. Cast off.\n\n   Mind the rope.\n4. Row.\n\n   ```\n   row &\n     go\n   ```\n\n5. Land.',
    ],
    [
      'lists in lists',
      '<ul><li>Ropes<ol><li>thin</li><li>thick</li></ol></li><li>Oars</li></ul>',
      '- Ropes\n  1. thin\n  2. thick\n- Oars',
    ],
    [
      'a listing whose lines are blocks',
      '<pre><code><div class="line">if (a)</div><div class="line"><span>  </span><span>go()</span></div></code></pre>',
      '```\nif (a)\n  go()\n```',
    ],
    [
      'a listing without the numbers of its lines',
      '<table><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>if a:\n    go()</pre></td></tr></table><p>Or:</p><pre><span class="linenos">1</span>if b:\n<span class="linenos">2</span>    go()</pre>',
      '```\nif a:\n    go()\n```\n\nOr:\n\n```\nif b:\n    go()\n```',
    ],
    [
      'numbers in cells that are data',
      '<table><tr><td><pre>1</pre></td><td><pre>2</pre></td></tr></table>',
      '```\n1\n```\n\n```\n2\n```',
    ],
    [
      'no line breaks but those of the page',
      '<p>Cast  \n off.</p><table><tr><td>Ida   \n </td>  \n <td> \n 1901</td></tr></table>',
      'Cast off.\n\n| Ida | 1901 |\n| --- | --- |',
    ],
    ['signs of code in code', '<p>Type <code>`x`</code> now.</p>', 'Type `` `x` `` now.'],
    [
      'a formula once',
      '<p>So <math><semantics><mrow><mi>a</mi><mo>=</mo><mn>2</mn></mrow><annotation encoding="application/x-tex">a=2</annotation></semantics></math> it is.</p>',
      'So a=2 it is.',
    ],
  ])('has %s', (_, body, markdown) => {
    expect(formOf(body)).toBe(markdown)
  })
})

describe('tables with many empty cells', () => {
  const tableOf = (...rows: string[]) => {
    const table = rows.map((row) => `<tr>${row}</tr>`).join('')
    const { formats } = read(
      `<article><h1>Days</h1><p>${PROSE}</p><table>${table}</table></article>`,
    )
    return formats?.markdown ?? ''
  }

  it('keep their places, in time', () => {
    const text = tableOf(
      `<td>first</td>${'<td></td>'.repeat(60)}<td>last</td>`,
      '<td>a |</td><td></td>',
    )
    expect(text).toContain(`| first |${' |'.repeat(60)} last |\n`)
    expect(text).toContain('| a \\| |')
  })

  it('have bounds, however far cells reach over others', () => {
    const row = '<td>a</td><td rowspan="1000" colspan="100">b</td>'
    const text = tableOf(...Array.from({ length: 1000 }, () => row))
    expect(text.length).toBeLessThan(1_000_000)
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

it('says which lists are shown in part, and has them whole as formats', () => {
  const links = Array.from({ length: 501 }, (_, at) => `<li><a href="/${at}">Page ${at}</a></li>`)
  const headings = Array.from({ length: 200 }, (_, at) => `<h2>Part ${at}</h2>`)
  const page = `<title>All</title><body><ul>${links.join('')}</ul>${headings.join('')}`
  const { data, formats, warnings } = read(page, { formats: ['links'] })
  const { links: shown, headings: named } = data as { links: unknown[]; headings: string[] }
  expect([shown.length, named.length, formats!.links!.length]).toEqual([500, 200, 501])
  expect(warnings).toEqual([
    { code: 'cut', message: 'links has 500 of 501; formats: ["links"] has all' },
  ])
})
