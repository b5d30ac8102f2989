/**
 * Pages like those of reports, as HTML for the local Chromium to print, with the tables that they
 * hold. Invented text from a fixed seed; the styles are those that official statistics use.
 */
export interface PdfFixture {
  name: string
  html: string
  /** Expected rows, in page order; a merged cell's text stands in its first cell. */
  tables: string[][][]
}

const WORDS =
  'the annual report shows that growth in rural areas was slower than expected while output of most regions rose again after a weak spring and prices for energy remained high which led many firms to delay new projects until further notice from public bodies about support'.split(
    ' ',
  )
const NAMES = [
  'North',
  'South East',
  'Upper Valley',
  'Lake District',
  'West Coast',
  'Central Plain',
  'Islands',
  'Capital',
  'Border Area',
  'Old Town',
]

class Fake {
  #seed: number
  constructor(seed: number) {
    this.#seed = seed
  }
  next(): number {
    this.#seed = (this.#seed * 1103515245 + 12345) & 0x7fffffff
    return this.#seed / 0x7fffffff
  }
  prose(count: number): string {
    const words = Array.from({ length: count }, (_, i) => {
      const word = WORDS[Math.floor(this.next() * WORDS.length)]!
      return i % 13 === 0
        ? word[0]!.toUpperCase() + word.slice(1)
        : i % 13 === 12
          ? `${word}.`
          : word
    })
    return words.join(' ')
  }
  number(digits = 1): string {
    const value = this.next() * 9000 + 100
    return value.toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  }
  rows(
    count: number,
    columns: number,
    label = (i: number) => `${NAMES[i % NAMES.length]}`,
  ): string[][] {
    return Array.from({ length: count }, (_, i) => [
      label(i),
      ...Array.from({ length: columns - 1 }, () => this.number()),
    ])
  }
}

const STYLE = `<style>body{font:10pt "Liberation Serif",serif;margin:0}table{border-collapse:collapse;margin:12px 0;font-size:9pt}
td,th{padding:2px 9px;text-align:right;font-weight:normal;vertical-align:top}td:first-child,th:first-child,.left td,.left th{text-align:left}
.full td,.full th{border:1px solid #000}.open td+td,.open th+th{border-left:1px solid #000}.open tbody tr td{border-top:1px solid #000}
.rules td,.rules th{border-bottom:1px solid #888}.book{border-top:1.5px solid #000;border-bottom:1.5px solid #000}.book thead tr:last-child th{border-bottom:1px solid #000}
.zebra tbody tr:nth-child(odd){background:#dde}.verticals td,.verticals th{border-left:1px solid #000;border-right:1px solid #000}.verticals{border:1px solid #000}
.verticals thead th{border-bottom:1px solid #000}.two{columns:2;column-gap:24px;text-align:justify}.tight td,.tight th{padding:1px 4px}.center{text-align:center!important}</style>`

const page = (body: string): string => `<!doctype html><meta charset="utf-8">${STYLE}${body}`
const paragraph = (fake: Fake, count: number): string => `<p>${fake.prose(count)}</p>`
const row = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
const table = (style: string, head: string[], rows: string[][]): string =>
  `<table class="${style}"><thead>${row(head, 'th')}</thead><tbody>${rows.map((r) => row(r)).join('')}</tbody></table>`
const heads = (count: number): string[] => [
  'Region',
  ...Array.from({ length: count - 1 }, (_, i) => String(2003 + i)),
]

function plain(
  name: string,
  seed: number,
  style: string,
  columns: number,
  count: number,
): PdfFixture {
  const fake = new Fake(seed)
  const rows = fake.rows(count, columns)
  const html = page(
    `<h2>Statistical annex</h2>${paragraph(fake, 90)}<p>Table 1: Output by region</p>${table(style, heads(columns), rows)}<p><small>Source: own survey.</small></p>${paragraph(fake, 60)}`,
  )
  return { name, html, tables: [[heads(columns), ...rows]] }
}

function spanners(name: string, seed: number, style: string): PdfFixture {
  const fake = new Fake(seed)
  const rows = fake.rows(9, 5)
  const html = page(
    `${paragraph(fake, 70)}<table class="${style}"><thead><tr><th rowspan=2>Region</th><th colspan=2 class=center>Production</th><th colspan=2 class=center>Employment</th></tr>${row(['2003', '2004', '2003', '2004'], 'th').replace('<th>', '<th style="text-align:right">')}</thead><tbody>${rows.map((r) => row(r)).join('')}</tbody></table>${paragraph(fake, 50)}`,
  )
  return {
    name,
    html,
    tables: [
      [
        ['Region', 'Production', '', 'Employment', ''],
        ['', '2003', '2004', '2003', '2004'],
        ...rows,
      ],
    ],
  }
}

function sections(name: string, seed: number, style: string): PdfFixture {
  const fake = new Fake(seed)
  const rows = [
    ['Coastal regions', '', '', ''],
    ...fake.rows(4, 4),
    ['Inland regions', '', '', ''],
    ...fake.rows(5, 4, (i) => NAMES[i + 5]!),
  ]
  const html = page(`${paragraph(fake, 60)}${table(style, heads(4), rows)}${paragraph(fake, 40)}`)
  return { name, html, tables: [[heads(4), ...rows]] }
}

function leaders(): PdfFixture {
  const fake = new Fake(31)
  const rows = fake.rows(9, 4)
  const dotted = rows.map((r) => [`${r[0]} ${'.'.repeat(28 - r[0]!.length)}`, ...r.slice(1)])
  const html = page(`${paragraph(fake, 60)}${table('', heads(4), dotted)}${paragraph(fake, 50)}`)
  return { name: 'dot leaders', html, tables: [[heads(4), ...dotted]] }
}

function wrapped(style: string, seed: number): PdfFixture {
  const fake = new Fake(seed)
  const rows = Array.from({ length: 6 }, (_, i) => [NAMES[i]!, fake.prose(14), fake.number()])
  const html = page(
    `${paragraph(fake, 40)}<table class="left ${style}" style="width:420px"><thead>${row(['Area', 'Remarks on the year', 'Index'], 'th')}</thead><tbody>${rows
      .map((r) => row(r))
      .join('')
      .replaceAll('<tr>', '<tr style="line-height:1.1">')
      .replaceAll(
        '<td>',
        '<td style="padding-bottom:7px">',
      )}</tbody></table>${paragraph(fake, 40)}`,
  )
  return {
    name: `wrapped ${style || 'bare'}`,
    html,
    tables: [[['Area', 'Remarks on the year', 'Index'], ...rows]],
  }
}

function inColumns(style: string, seed: number): PdfFixture {
  const fake = new Fake(seed)
  const rows = fake.rows(7, 4)
  const html = page(
    `<h2>Economic outlook</h2><div class=two>${paragraph(fake, 130)}<div style="break-inside:avoid">${table(`tight ${style}`, heads(4), rows)}</div>${paragraph(fake, 260)}${paragraph(fake, 200)}</div>`,
  )
  return { name: `in a column ${style || 'bare'}`, html, tables: [[heads(4), ...rows]] }
}

function several(style: string, seed: number): PdfFixture {
  const fake = new Fake(seed)
  const [a, b] = [fake.rows(5, 5), fake.rows(4, 3)]
  const html = page(
    `${paragraph(fake, 40)}${table(style, heads(5), a)}<p>Table 2: Prices</p>${table(style, heads(3), b)}${paragraph(fake, 40)}`,
  )
  return {
    name: `two tables ${style || 'bare'}`,
    html,
    tables: [
      [heads(5), ...a],
      [heads(3), ...b],
    ],
  }
}

function textOnly(style: string, seed: number): PdfFixture {
  const fake = new Fake(seed)
  const rows = NAMES.slice(0, 8).map((name) => [name, fake.prose(2), fake.prose(3), fake.prose(1)])
  const head = ['Region', 'Main branch', 'Trend', 'Note']
  const html = page(
    `${paragraph(fake, 60)}${table(`left ${style}`, head, rows)}${paragraph(fake, 60)}`,
  )
  return { name: `words ${style || 'bare'}`, html, tables: [[head, ...rows]] }
}

/** Pages without any table that look a little like one. */
function decoys(): PdfFixture[] {
  const fake = new Fake(77)
  const many = (count: number, make: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => make(i)).join('')
  const decoy = (name: string, body: string): PdfFixture => ({ name, html: page(body), tables: [] })
  return [
    decoy(
      'prose',
      many(5, () => paragraph(fake, 120)),
    ),
    decoy(
      'two columns',
      `<h1>Outlook</h1><div class=two>${many(7, () => `<h3>${fake.prose(3)}</h3>${paragraph(fake, 100)}`)}</div>`,
    ),
    decoy(
      'three columns',
      `<div class=two style="columns:3">${many(12, () => paragraph(fake, 60))}</div>`,
    ),
    decoy(
      'lists',
      `<ul>${many(9, () => `<li>${fake.prose(8)}</li>`)}</ul><ol>${many(9, () => `<li>${fake.prose(22)}</li>`)}</ol>`,
    ),
    decoy(
      'contents',
      `<h2>Contents</h2>${many(18, (i) => `<div style="display:flex"><span>${i + 1}. ${fake.prose(4)}</span><span style="flex:1;overflow:hidden;white-space:nowrap">${' .'.repeat(90)}</span><span>${i * 7 + 1}</span></div>`)}`,
    ),
    decoy(
      'letter',
      `<div style="text-align:right">${fake.prose(3)}<br>${fake.prose(2)}</div><p>${fake.prose(4)}<br>${fake.prose(3)}</p>${many(3, () => paragraph(fake, 70))}<div style="display:flex;gap:120px"><span>Signed</span><span>Dated</span></div>`,
    ),
    decoy(
      'boxes',
      many(
        3,
        () => `<div style="border:1px solid #000;padding:8px;margin:10px">${fake.prose(60)}</div>`,
      ) + paragraph(fake, 80),
    ),
    decoy(
      'headings',
      `<div style="display:flex;justify-content:space-between"><span>Annual report</span><span>${fake.prose(2)}</span><span>Page 7</span></div>${many(4, () => `<h3>1.2&emsp;${fake.prose(3)}</h3>${paragraph(fake, 60)}`)}`,
    ),
  ]
}

/** All fixtures; the same ones at every run. */
export function pdfFixtures(): PdfFixture[] {
  const styles = ['full', 'open', 'rules', 'book', 'zebra', 'verticals', '']
  return [
    ...styles.map((style, i) => plain(`plain ${style || 'bare'}`, i + 1, style, 5, 8)),
    ...styles.map((style, i) => plain(`small ${style || 'bare'}`, i + 11, style, 3, 4)),
    ...styles.map((style, i) => plain(`wide ${style || 'bare'}`, i + 21, `tight ${style}`, 9, 14)),
    ...['full', 'book', ''].map((style, i) =>
      spanners(`spanners ${style || 'bare'}`, i + 41, style),
    ),
    ...['full', 'book', ''].map((style, i) =>
      sections(`sections ${style || 'bare'}`, i + 51, style),
    ),
    leaders(),
    ...['full', 'rules', ''].map((style, i) => wrapped(style, i + 61)),
    ...['full', 'book', ''].map((style, i) => inColumns(style, i + 71)),
    ...['full', 'book', ''].map((style, i) => several(style, i + 81)),
    ...['full', 'book', ''].map((style, i) => textOnly(style, i + 91)),
    ...decoys(),
  ]
}
