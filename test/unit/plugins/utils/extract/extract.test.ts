import { describe, expect, it } from 'vitest'
import { enrich } from '../../../../../plugins/utils/extract/enrich/ground.ts'
import { shapeOf } from '../../../../../plugins/utils/extract/fields/shape.ts'
import { runExtract, type ExtractOrder } from '../../../../../plugins/utils/extract/worker.ts'

type Data = { [name: string]: any }

function run(order: Partial<ExtractOrder> & { content: string | Uint8Array }): {
  data: Data
  paths: { [pointer: string]: string }
} {
  const outcome = runExtract({ source: 'html', contentType: null, url: null, ...order })
  if (!outcome.ok) throw new Error(outcome.message)
  return { data: outcome.data as Data, paths: outcome.paths }
}
const html = (content: string, schema?: unknown, url: string | null = null): Data =>
  run({ content, schema, url }).data

const script = (json: string): string => `<script type="application/ld+json">${json}</script>`

describe('texts', () => {
  it('keep the names of elements that they speak of, and lose their own markup', () => {
    const page = `<title>x</title><meta name="description" content="The &lt;dialog&gt; element &amp;amp; more">
      <h1>&lt;dialog&gt;: a box</h1>${script('{"@type":"Thing","name":"<b>bold</b> words<br>of a thing"}')}`
    const { description, title } = html(page)
    expect({ description, title }).toEqual({
      description: 'The <dialog> element & more',
      title: '<dialog>: a box',
    })
    expect(html(page, { title: 'string', description: 'string' })).toEqual({
      title: '<dialog>: a box',
      description: 'The <dialog> element & more',
    })
    expect(
      html(script('{"@type":"Thing","name":"<b>bold</b> words<br>of it"}'), { name: 'string' }),
    ).toEqual({ name: 'bold words of it' })
  })

  it('keep the signs without which Persian words are others', () => {
    const word = 'می\u200cشود'
    const text = `این ${word} و کتاب\u200cها را می\u200cخوانیم. `.repeat(12).trim()
    const page = `<h1>Au\u200cf\u200clage ${word}</h1><p>\u200c\u200c ${text}\u200c</p>`
    expect(html(page)).toMatchObject({ title: `Auflage ${word}`, text })
  })
})

describe('tables', () => {
  const cities = {
    cities: [{ country: 'string', city: 'string', population: 'number' }],
  }
  const page = (rows: string): string =>
    `<h1>Cities</h1><table><tr><th>Country</th><th>City</th><th>Population</th></tr>${rows}</table>`
  it('have a cell over several rows in each', () => {
    const spain =
      '<tr><td rowspan=2>Spain</td><td>Madrid</td><td>3</td></tr><tr><td>Barcelona</td><td>2</td></tr>'
    const rows = `<tbody>${spain}</tbody><tbody><tr><td>Paris</td><td rowspan=9 colspan=2>2</td></tr></tbody><tbody><tr><td>France</td><td>Lyon</td><td>1</td></tr></tbody>`
    expect(html(page(rows)).tables[0].rows).toEqual([
      ['Spain', 'Madrid', '3'],
      ['Spain', 'Barcelona', '2'],
      ['Paris', '2', '2'],
      ['France', 'Lyon', '1'],
    ])
    expect(html(page(spain), cities)).toEqual({
      cities: [
        { country: 'Spain', city: 'Madrid', population: 3 },
        { country: 'Spain', city: 'Barcelona', population: 2 },
      ],
    })
  })
  it('give no record of a row that names those below it', () => {
    const row = (name: string): string => `<tr><td>${name}</td><td>${name}-city</td><td>2</td></tr>`
    const rows = `<tr><td colspan=3>Europe</td></tr>${row('Spain')}<tr><td colspan=3>Asia</td></tr>${row('Japan')}`
    expect(html(page(rows)).tables[0].rows).toHaveLength(4)
    expect(html(page(rows), cities)).toEqual({
      cities: [
        { country: 'Spain', city: 'Spain-city', population: 2 },
        { country: 'Japan', city: 'Japan-city', population: 2 },
      ],
    })
  })
  it('are not filled by a first row that reaches down everywhere', () => {
    const wide = `<tr>${'<td rowspan=2000 colspan=50>x</td>'.repeat(2000)}</tr>`
    const { tables } = html(`<table>${wide}${'<tr><td>y</td></tr>'.repeat(1500)}</table>`)
    expect(tables[0].rows[1].length).toBeLessThan(300)
  })
  it('are not read where a long text reaches over a hundred rows and columns', () => {
    const small = '<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>'
    const long = `<td rowspan=100 colspan=40>${'x'.repeat(10_000)}</td>`.repeat(3)
    const huge = `<table><tr>${long}</tr>${'<tr></tr>'.repeat(99)}</table>`
    const { tables } = html(`${small}${huge}${small}`)
    expect(tables).toHaveLength(1)
  })
})

describe('delimited texts', () => {
  const rowsOf = (content: string): string[][] => {
    const [table] = run({ source: 'text', content }).data.tables as Data[]
    return table ? [table.headers, ...table.rows] : []
  }
  it.each([
    [
      'quotes in quotes',
      'a,b\n1,"ha ""ha"" ha"\n3,4\n',
      [
        ['a', 'b'],
        ['1', 'ha "ha" ha'],
        ['3', '4'],
      ],
    ],
    [
      'lines in quotes',
      'a;b\r\n1;"x\r\ny"\r\n',
      [
        ['a', 'b'],
        ['1', 'x\r\ny'],
      ],
    ],
    [
      'marks in quotes',
      '\ufeffa,b\n"Doe, J",2',
      [
        ['a', 'b'],
        ['Doe, J', '2'],
      ],
    ],
    [
      'one row, with inches',
      'part\tsize\tx\nbolt\t5" long\t1',
      [
        ['part', 'size', 'x'],
        ['bolt', '5" long', '1'],
      ],
    ],
    ['prose of one comma in each line', 'Dear Ann, hello\nYours, Bob', []],
    [
      'a quote that does not end',
      'a,b,c\n"x,y,z\n1,2,3',
      [
        ['a', 'b', 'c'],
        ['"x', 'y', 'z'],
        ['1', '2', '3'],
      ],
    ],
  ])('%s', (_, content, rows) => {
    expect(rowsOf(content)).toEqual(rows)
  })
  it('give all their records', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `${index},Name ${index}`)
    const content = ['id,name', ...lines].join('\n')
    const { people } = run({
      source: 'text',
      content,
      schema: { people: [{ id: 'integer', name: 'string' }] },
    }).data
    expect(people).toHaveLength(3000)
    expect(people[2999]).toEqual({ id: 2999, name: 'Name 2999' })
  })
})

describe('embedded metadata', () => {
  it('reads JSON-LD with entities, comments, control characters and stray commas', () => {
    const { json_ld: found } = html(
      `${script('{"@graph":[{"@type":"Article","headline":"It&#8217;s &amp; it was",},{"@type":"Person","name":"A\tB"}]}')}
       ${script('/* note */ <!-- {"@type":"Thing","name":"say \\\'x\\\'"} -->')}${script('{"@type":"A"}{"@type":"B"}')}${script('{"@type":"Cut","name":"end')}`,
    )
    expect(found.map((one: Data) => one['@type'])).toEqual([
      'Article',
      'Person',
      'Thing',
      'A',
      'B',
      'Cut',
    ])
    expect(found[0].headline).toBe('It’s & it was')
    expect(found[2].name).toBe("say 'x'")
  })

  it('reads microdata with itemref, nesting and machine values', () => {
    const { microdata } = html(
      `<div itemscope itemtype="https://schema.org/Product" itemref="more"><b itemprop="name"> Oak  table </b>
       <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="12.50"><link itemprop="availability" href="https://schema.org/InStock"></span>
       <img itemprop="image" src="/a.png"></div><p id="more"><time itemprop="releaseDate" datetime="2024-02-03">3 Feb</time></p>`,
      undefined,
      'https://shop.example.com/x/',
    )
    expect(microdata).toEqual([
      {
        type: 'https://schema.org/Product',
        properties: {
          name: 'Oak table',
          offers: {
            type: 'https://schema.org/Offer',
            properties: { price: '12.50', availability: 'https://schema.org/InStock' },
          },
          image: 'https://shop.example.com/a.png',
          releaseDate: '2024-02-03',
        },
      },
    ])
  })

  it('reads RDFa, OpenGraph, Twitter and Dublin Core', () => {
    const found = html(
      `<meta property="og:title" content="T"><meta property="article:tag" content="a"><meta property="article:tag" content="b"><meta name="twitter:card" content="summary"><meta name="DC.creator" content="Ann">
       <div vocab="http://schema.org/" typeof="Person"><span property="name">Ann</span><a property="url" href="https://a.example.com">x</a></div>`,
    )
    expect(found.opengraph).toEqual({ 'og:title': 'T', 'article:tag': ['a', 'b'] })
    expect(found.twitter).toEqual({ 'twitter:card': 'summary' })
    expect(found.dublin_core).toEqual({ 'DC.creator': 'Ann' })
    expect(found.rdfa).toContainEqual({
      type: 'http://schema.org/Person',
      properties: { name: 'Ann', url: 'https://a.example.com' },
    })
  })
})

describe('filling a schema', () => {
  const product = script(
    JSON.stringify({
      '@type': 'Product',
      name: 'Lamp',
      brand: { '@type': 'Brand', name: 'Lux' },
      offers: { price: '1289.5', priceCurrency: 'KES', availability: 'https://schema.org/InStock' },
      aggregateRating: { ratingValue: '4.5', reviewCount: '1,289' },
    }),
  )

  it('uses synonyms and coerces to the types', () => {
    const data = html(product, {
      type: 'object',
      properties: {
        product_name: { type: 'string' },
        manufacturer: { type: 'string' },
        price: { type: 'number' },
        currency: { type: 'string' },
        in_stock: { type: 'boolean' },
        rating: { type: 'number' },
        reviewCount: { type: 'integer' },
      },
    })
    expect(data).toEqual({
      product_name: 'Lamp',
      manufacturer: 'Lux',
      price: 1289.5,
      currency: 'KES',
      in_stock: true,
      rating: 4.5,
      reviewCount: 1289,
    })
  })

  it('has only the schema’s keys, and null for what is not there, also when it is required', () => {
    const schema = {
      type: 'object',
      required: ['isbn'],
      properties: {
        isbn: { type: 'string' },
        nested: { type: 'object', properties: { zebra: { type: 'number' } } },
        list: { type: 'array', items: { type: 'string' } },
      },
    }
    expect(html('<p>Nothing of it.</p>', schema)).toEqual({
      isbn: null,
      nested: { zebra: null },
      list: [],
    })
  })

  it('reads labels from tables, definition lists, lines and adjacent cells', () => {
    const page = `<table><tr><th>Weight</th><td>2.5 kg</td></tr><tr><th>SKU</th><td>AB-1</td></tr></table>
      <dl><dt>Material</dt><dd>Oak</dd></dl><p><b>Colour:</b> dark red</p><div><span class="label">Length</span><span class="value">1.289,5 cm</span></div><p>Warranty: 2 years</p>`
    const keys = {
      weight: 'number',
      sku: 'string',
      material: 'string',
      color: 'string',
      length: 'number',
      warranty: 'integer',
    }
    expect(html(page, keys)).toEqual({
      weight: 2.5,
      sku: 'AB-1',
      material: 'Oak',
      color: 'dark red',
      length: 1289.5,
      warranty: 2,
    })
  })

  it('reads every element of repeated blocks and of tables', () => {
    const cards = Array.from(
      { length: 7 },
      (_, index) =>
        `<li class="card"><h3><a href="/p/${index}">Item ${index}</a></h3><span class="price">KSh ${index + 1},299.00</span></li>`,
    ).join('')
    const item = {
      type: 'object',
      properties: { name: { type: 'string' }, price: { type: 'number' }, url: { type: 'string' } },
    }
    const { products } = html(
      `<nav><ul><li><a href="/a">A</a><li><a href="/b">B</a></ul></nav><ul>${cards}</ul>`,
      { type: 'object', properties: { products: { type: 'array', items: item } } },
      'https://s.example.com/',
    )
    expect(products).toHaveLength(7)
    expect(products[6]).toEqual({ name: 'Item 6', price: 7299, url: 'https://s.example.com/p/6' })
    const table =
      '<table><tr><th>Country</th><th>Population</th></tr><tr><td>Kenya</td><td>51,000,000</td></tr><tr><td>Togo</td><td>8,000,000</td></tr></table>'
    const countries = {
      type: 'object',
      properties: {
        countries: {
          type: 'array',
          items: {
            type: 'object',
            properties: { country: { type: 'string' }, population: { type: 'integer' } },
          },
        },
      },
    }
    expect(html(table, countries).countries).toEqual([
      { country: 'Kenya', population: 51_000_000 },
      { country: 'Togo', population: 8_000_000 },
    ])
  })

  it('says where each value was found', () => {
    expect(run({ content: product, schema: { price: 'number' } }).paths).toEqual({
      '/price': 'json_ld[0].offers.price',
    })
  })

  it('reads text, records of a text and JSON', () => {
    expect(
      run({
        source: 'text',
        content: 'Title: Oak\nPrice: KSh 1,299.00',
        schema: { title: 'string', price: 'number', currency: 'string' },
      }).data,
    ).toEqual({ title: 'Oak', price: 1299, currency: 'KES' })
    const people = {
      type: 'object',
      properties: {
        people: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
          },
        },
      },
    }
    expect(
      run({ source: 'text', content: 'Name: Ann\nAge: 31\n\nName: Ben\nAge: 42', schema: people })
        .data,
    ).toEqual({
      people: [
        { name: 'Ann', age: 31 },
        { name: 'Ben', age: 42 },
      ],
    })
    expect(
      run({
        source: 'text',
        content: '{"data":{"fullName":"Ann","price":"1.5"}}',
        schema: { full_name: 'string', price: 'number' },
      }).data,
    ).toEqual({ full_name: 'Ann', price: 1.5 })
  })
})

describe('input', () => {
  it('follows the declared or guessed encoding', () => {
    const page = (charset: string): string => `<meta charset="${charset}"><title>Größe</title>`
    const latin = Buffer.from(page('iso-8859-1'), 'latin1')
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('<title>Größe</title>', 'utf16le'),
    ])
    for (const content of [
      latin,
      Buffer.from(page('utf-8')),
      utf16,
      Buffer.from('<title>Größe</title>', 'latin1'),
    ]) {
      expect(
        run({ source: 'url', content: new Uint8Array(content), contentType: 'text/html' }).data
          .title,
      ).toBe('Größe')
    }
  })

  it('refuses what is not text', () => {
    expect(
      runExtract({
        source: 'url',
        content: new Uint8Array(Buffer.from('%PDF-1.7')),
        contentType: 'application/pdf',
        url: null,
      }),
    ).toMatchObject({ ok: false })
  })

  it('survives deep nesting and broken markup', () => {
    expect(html(`<p>a${'<div><b>'.repeat(20_000)}end`).title).toBeNull()
    expect(html('<<<>><!doctype<html><a href=></p></table>').type).toBe('webpage')
  })
})

describe('model answers', () => {
  it('fill only gaps, only with what the text says', () => {
    const shape = shapeOf({ name: 'string', city: 'string', age: 'integer', job: 'string' })
    const answer = { name: 'Bob', city: 'Nairobi', age: 31, job: 'astronaut', extra: 'x' }
    expect(
      enrich(
        shape,
        { name: 'Ann', city: null, age: null, job: null },
        answer,
        'Ann, 31, lives in Nairobi.',
      ),
    ).toEqual({
      data: { name: 'Ann', city: 'Nairobi', age: 31, job: null },
      taken: ['/city', '/age'],
      dropped: 1,
    })
  })
})

describe('the shape of a schema', () => {
  it.each(['#/%zz', '#/nowhere', 'elsewhere'])('takes anything at a reference to %s', ($ref) => {
    const { properties } = shapeOf({ type: 'object', properties: { price: { $ref } } })
    expect(properties).toMatchObject([{ name: 'price', shape: { type: 'any' } }])
  })
})
