import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../../plugins/utils/extract/dom/tree.ts'
import { withCappedNesting } from '../../../../../plugins/utils/extract/dom/nesting.ts'
import { readLenientJson } from '../../../../../plugins/utils/extract/harvest/lenient-json.ts'
import { harvestHead } from '../../../../../plugins/utils/extract/harvest/meta.ts'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'
import { harvestRdfa } from '../../../../../plugins/utils/extract/harvest/rdfa.ts'

const plain = (reference: string): string => reference

describe('JSON as pages write it', () => {
  it.each([
    ["{'@type': 'Thing', name: \"It's\"}", [{ '@type': 'Thing', name: "It's" }]],
    ['{"a":1,,"b":[1,2,],}; {"c":null}', [{ a: 1, b: [1, 2] }, { c: null }]],
    [
      '<!-- {"headline":"The "great" escape","by":"Ann"} -->',
      [{ headline: 'The "great" escape', by: 'Ann' }],
    ],
    [
      '//<![CDATA[\n{"a":"x\ny", /* note */ "u":"http://x//y"} // end\n//]]>',
      [{ a: 'x\ny', u: 'http://x//y' }],
    ],
    ['{"a":{"b":"cut off', [{ a: { b: 'cut off' } }]],
    ['{{ page.schema }}', [{}]],
    ['nothing', []],
  ])('%s', (source, value) => expect(readLenientJson(source)).toEqual(value))

  it('ends on any input, however deep', () => {
    expect(readLenientJson('{"a":['.repeat(20_000))).toHaveLength(1)
    expect(readLenientJson(`{"a":"${'" '.repeat(50_000)}`)).toHaveLength(1)
  })
})

describe('RDFa', () => {
  const rdfa = (html: string) => harvestRdfa(parsePage(html), plain)

  it('writes prefixes out, those declared and the usual ones', () => {
    expect(
      rdfa(
        '<div prefix="bibo: http://purl.org/ontology/bibo/" about="/b" typeof="bibo:Book"><b property="dc:title">T</b></div>',
      ),
    ).toEqual([
      {
        type: 'http://purl.org/ontology/bibo/Book',
        id: '/b',
        properties: { 'http://purl.org/dc/terms/title': 'T' },
      },
    ])
  })

  it('lets several elements speak of one subject, which never holds itself', () => {
    const items = rdfa(
      '<div vocab="http://s/" typeof="A" resource="#a"><p property="knows" typeof="B" resource="#b"><i property="knows" typeof="A" resource="#a"></i></p></div>',
    )
    expect(() => JSON.stringify(items)).not.toThrow()
    expect(items[0]).toMatchObject({
      id: '#a',
      properties: { knows: { id: '#b', properties: { knows: '#a' } } },
    })
  })
})

describe('the head of a page', () => {
  it('keeps the details of each image, and Dublin Core links', () => {
    const head = harvestHead(
      parsePage(
        '<meta property="og:image" content="1.jpg"><meta property="og:image:width" content="300"><meta property="og:image" content="2.jpg"><meta property="og:image:width" content="300"><link rel="DCTERMS.isPartOf" href="http://p.example/">',
      ),
      plain,
    )
    expect(head.opengraph['og:image:width']).toEqual(['300', '300'])
    expect(head.dublin_core).toEqual({ 'DCTERMS.isPartOf': 'http://p.example/' })
  })
})

describe('nesting', () => {
  it('is capped, with text and what follows kept', () => {
    const deep = `${'<div>'.repeat(5000)}deep${'</div>'.repeat(5000)}<p>after</p>`
    const { html: capped } = withCappedNesting(deep)
    expect(capped.match(/<div>/g)).toHaveLength(1200)
    expect(capped.match(/<\/div>/g)).toHaveLength(1200)
    expect(capped).toContain('deep')
    expect(capped.endsWith('<p>after</p>')).toBe(true)
  })

  it('leaves ordinary pages alone, with tags in scripts and items without an end', () => {
    const page = `<ul>${'<li>x'.repeat(3000)}</ul><script>${"'<div>'+".repeat(3000)}0</script>`
    expect(withCappedNesting(page)).toEqual({ html: page, isCut: false })
  })
  it('ends a page of a million elements where reading it would take minutes, and says so', () => {
    const many = `<h1>Tide</h1>${'<i>x</i>'.repeat(300_000)}`
    expect(withCappedNesting(many)).toMatchObject({ isCut: true })
    expect(withCappedNesting(many).html.match(/<i>/g)).toHaveLength(119_999)
    const outcome = runExtract({ source: 'html', content: many, contentType: null, url: null })
    expect(outcome.ok && outcome.paths['/text']).toMatch(/of the first 120000 elements$/)
  })
})
