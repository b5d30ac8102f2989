/** What a person sees of a page is what is read of it: nothing hidden, no former price, no raw tags. */
import { describe, expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

type Data = { [name: string]: any }

function read(content: string, schema?: unknown): Data {
  const outcome = runExtract({ source: 'html', content, contentType: null, url: null, schema })
  if (!outcome.ok) throw new Error(outcome.message)
  return { ...(outcome.data as Data), isEmpty: outcome.isEmpty }
}

const PRODUCT = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    brand: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string' },
  },
}
const shop = (poison: string, head = ''): string =>
  `<html><head>${head}</head><body><h1>Oak table</h1><p>A table of solid oak, made by hand in a small
   workshop by the sea, oiled twice, and delivered in four weeks wherever you live.</p>
   ${poison}<dl><dt>Weight</dt><dd>40 kg</dd></dl></body></html>`
const POISON = '<p>Brand: Evil Corp</p><p>Price: $1</p><p>Email: evil@example.com</p>'

describe('what nobody sees', () => {
  it.each([
    ['display none', `<div style="display:none">${POISON}</div>`],
    ['display none, important', `<div style="display: none !important">${POISON}</div>`],
    ['visibility hidden', `<div style="visibility: hidden">${POISON}</div>`],
    ['visibility hidden around', `<div style="visibility:hidden"><div>${POISON}</div></div>`],
    ['the attribute', `<div hidden>${POISON}</div>`],
    ['size 0', `<div style="width:0;height:0;overflow:hidden">${POISON}</div>`],
    ['font of size 0', `<div style="font-size:0px">${POISON}</div>`],
    ['opacity 0', `<div style="opacity: 0">${POISON}</div>`],
    ['beside the screen', `<div style="position:absolute;left:-9999px">${POISON}</div>`],
    ['clipped away', `<div style="position:absolute;clip:rect(0, 0, 0, 0)">${POISON}</div>`],
    ['inset to nothing', `<div style="clip-path:inset(50%)">${POISON}</div>`],
    [
      'hidden on screens',
      `<style>@media screen{.n{display:none}}</style><div class="n">${POISON}</div>`,
    ],
    ['an indent', `<div style="text-indent:-10000px">${POISON}</div>`],
    ['no colour', `<div style="color:transparent">${POISON}</div>`],
    ['the colour of the ground', `<div style="color:#fff;background:white">${POISON}</div>`],
    ['noscript', `<noscript>${POISON}</noscript>`],
    ['a closed dialog', `<dialog>${POISON}</dialog>`],
    ['a template', `<template>${POISON}</template>`],
  ])('%s is not read', (_, poison) => {
    const none = { price: null, brand: null, email: null, phone: null }
    expect(read(shop(poison), PRODUCT)).toMatchObject(none)
    const all = JSON.stringify(read(shop(poison)))
    expect(all).not.toMatch(/Evil|\$1|evil@/)
    expect(all).toContain('40 kg')
  })

  it.each([
    ['a class', '.trap{color:red;display:none}', '<div class="a trap">'],
    ['an id', '/* x */ #trap { visibility : hidden }', '<div id="trap">'],
    ['a tag with a class, in a list', 'h2, div.trap{display:none}', '<div class="trap">'],
    ['a later rule', '.trap{display:block} .trap{display:none}', '<div class="trap">'],
  ])('%s of the own style sheet counts', (_, sheet, open) => {
    const page = shop(`${open}${POISON}</div>`, `<style>${sheet}</style>`)
    expect(read(page, PRODUCT)).toMatchObject({ price: null, brand: null })
  })

  it.each([
    ['a rule for print', '<style media="print">.x{display:none}</style>', '<div class="x">'],
    [
      'a rule under a condition',
      '<style>@media print{.x{display:none}}</style>',
      '<div class="x">',
    ],
    [
      'a rule that another takes back',
      '<style>div{display:none}.x{display:block}</style>',
      '<div class="x">',
    ],
    ['a part that comes in slowly', '', '<div style="opacity:0;transform:translateY(9px)">'],
    [
      'a part whose text is shown again',
      '',
      '<div style="visibility:hidden"><div style="visibility:visible">',
    ],
    ['a part of which a search may open', '', '<div hidden="until-found">'],
  ])('%s hides nothing', (_, head, open) => {
    const page = shop(`${open}<p>Brand: Holm</p><p>Price: $120</p></div>`, head)
    expect(read(page, PRODUCT)).toMatchObject({ price: 120, brand: 'Holm' })
  })

  it('a page that its scripts show later is read', () => {
    const long = 'The ferry leaves at nine and comes back at five, every day but Sunday. '.repeat(9)
    const page = `<body style="visibility:hidden"><div id="app" style="display:none"><p>${long}</p></div></body>`
    expect(read(page).text).toContain('The ferry leaves')
  })
})

describe('former prices', () => {
  it.each([
    ['del', '<p><del>$100.00</del> <ins>$80.00</ins></p>'],
    ['s', '<div>Price: <s>$100</s> $80</div>'],
    ['a label with both', '<dl><dt>Price</dt><dd><strike>$100.00</strike> $80.00</dd></dl>'],
    ['a style', '<p><span style="text-decoration:line-through">$100</span> <b>$80</b></p>'],
    ['a name', '<p><span class="old-price">$100</span><span class="new">$80</span></p>'],
    [
      'two names',
      '<div><div class="price price--was">$100</div><div class="price">$80</div></div>',
    ],
    ['words', '<p>Was $100, now $80.</p>'],
    ['a saving', '<p>You save $20! Only $80 today.</p>'],
    [
      'a table',
      '<table><tr><td>Price</td><td><del>$100</del> $80</td></tr><tr><td>Size</td><td>L</td></tr></table>',
    ],
  ])('%s: the one that holds is the price', (_, markup) => {
    expect(read(shop(markup), PRODUCT).price).toBe(80)
  })

  it('the former one is still found as what it is, and alone it is the price', () => {
    const schema = { type: 'object', properties: { original_price: { type: 'number' } } }
    expect(read(shop('<p><del>$100</del> $80</p>'), schema).original_price).toBe(100)
    expect(read(shop('<p>Price: <s>$100</s></p>'), PRODUCT).price).toBe(100)
  })

  it('crossed-out words of an article stay in its text', () => {
    const { text } = read(shop('<p>We sold it for <del>$100</del> $80 at the fair last year.</p>'))
    expect(text).toContain('$100')
  })
})

describe('metadata with markup', () => {
  const ld = (body: string): string =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', headline: 'Boats', articleBody: body }).replaceAll('</', String.raw`<\/`)}</script>`
  const body =
    `<div class="a"><h2>One</h2><p>The first boat left at noon.</p><ul><li>A rope</li></ul>
    <img src="x.png"><script>track()</script>The last one came back &amp; stayed.</div>`.repeat(8)

  it('articleBody comes without tags, as a value and as the text', () => {
    const schema = { type: 'object', properties: { articleBody: { type: 'string' } } }
    const value = read(`${ld(body)}<body></body>`, schema).articleBody as string
    expect(value).toContain('The first boat left at noon.')
    expect(value).toContain('came back & stayed')
    expect(value).not.toMatch(/<|track\(/)
    expect(read(`${ld(body)}<body></body>`).text).not.toMatch(/<|track\(/)
  })

  it('the text of the page wins over another one that is not longer', () => {
    const own = 'Our harbour was dug out in the spring, and the first ships came in May. '.repeat(
      12,
    )
    const teaser =
      'Subscribe to read stories about gardens, kitchens and the people in them. '.repeat(9)
    const { text } = read(
      `${ld(teaser)}<body><article><h1>Boats</h1><p>${own}</p></article></body>`,
    )
    expect(text).toContain('harbour')
    expect(text).not.toContain('gardens')
  })
})

it('an article with signed comments under it is no thread of theirs', () => {
  const comment = (name: string): string =>
    `<div class="post-body"><span class="author">${name}</span><div class="post-content"><p>${'I was there too and it was just as cold as you say, with wind from the north all day. '.repeat(4)}</p></div></div>`
  const own =
    'The lake froze over in one night, and in the morning the whole town was out on it. '.repeat(9)
  const page = `<head><meta property="og:type" content="article"><meta property="og:title" content="The frozen lake"></head>
    <body class="theme-vanilla"><article><h1>The frozen lake</h1><p class="byline">By Ines Moreau</p><div class="entry-content"><p>${own}</p></div></article>
    <div id="talk">${['Ann', 'Bo', 'Cy', 'Di'].map(comment).join('')}</div></body>`
  const found = read(page)
  expect(found.text).toContain('The lake froze over')
  expect(found.author).toBe('Ines Moreau')
  expect(found.text.indexOf('The lake froze over')).toBe(0)
})

describe('nothing found', () => {
  it.each([
    ['an empty page', '<html><head><title>x</title></head><body></body></html>'],
    [
      'a page that scripts draw',
      '<title>App</title><div id="root"></div><script src="a.js"></script>',
    ],
    ['a placeholder', '<div>Loading…</div><script>go()</script>'],
    [
      'scripts asked for',
      '<noscript>Please enable JavaScript to run this app.</noscript><div id="app"></div><script src="a.js"></script>',
    ],
  ])('%s says nothing', (_, page) => {
    expect(read(page).isEmpty).toBe(true)
  })

  it.each([
    ['a word', '<p>Hello</p>'],
    ['a picture', '<img src="/a.png">'],
    ['a description', '<meta name="description" content="About boats"><div id="root"></div>'],
    ['metadata', '<script type="application/ld+json">{"@type":"Thing","name":"x"}</script>'],
  ])('%s is something', (_, page) => {
    expect(read(page).isEmpty).toBe(false)
  })

  it('of a schema it is that every value is null', () => {
    expect(read(shop(''), PRODUCT).isEmpty).toBe(true)
    expect(read(shop('<p>Price: $5</p>'), PRODUCT).isEmpty).toBe(false)
  })
})

describe('a shadow tree in markup', () => {
  const host = (shadow: string, light: string): string =>
    `<html><body><h1>Shop</h1><x-card><template shadowrootmode="open">${shadow}</template>${light}</x-card></body></html>`
  const long = 'The blue widget is made of steel and lasts for many years in the garden.'
  it.each([
    ['without a slot', host(`<p>${long}</p>`, '<p>Never shown.</p>'), long],
    [
      'around its slot',
      host(`<p>${long}</p><slot></slot>`, '<p>Twelve euros.</p>'),
      `${long}\n\nTwelve euros.`,
    ],
    [
      'with slots by name, filled or not',
      host(
        `<slot name="end"></slot><p>${long}</p><slot name="none"><p>As a rule.</p></slot><slot></slot>`,
        '<p>Last.</p><p slot="end">First.</p><p slot="lost">Lost.</p>',
      ),
      `First.\n\n${long}\n\nAs a rule.\n\nLast.`,
    ],
    [
      'in another one, whose styles are its own',
      host(
        `<style>p{display:none}</style><x-in><template shadowrootmode="closed"><p>${long}</p><slot></slot></template><slot></slot></x-in>`,
        '<p>Twelve euros.</p>',
      ),
      `${long}\n\nTwelve euros.`,
    ],
    ['that shows nothing', host('<style>p{}</style>', `<p>${long}</p>`), long],
    ['that is no shadow tree', `<h1>Shop</h1><template><p>No.</p></template><p>${long}</p>`, long],
  ])('%s', (_, page, text) => {
    expect(read(page).text).toBe(text)
  })
})
