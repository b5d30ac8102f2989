/**
 * Report pages with tables as statistical offices and ministries set them, drawn at random from a
 * fixed seed, as HTML for the local Chromium to print: mostly without vertical rules, with wrapped
 * and spanning heads, indented stubs, totals, notes below, in one or two columns of prose. Pages
 * without tables that look like some come along.
 */
export interface ReportPage {
  name: string
  html: string
  landscape: boolean
  /** Expected rows in page order; a merged cell's text stands in its first cell. */
  tables: string[][][]
}

class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed * 2654435761
  }
  /** mulberry32 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  below(count: number): number {
    return Math.floor(this.next() * count)
  }
  between(from: number, to: number): number {
    return from + this.below(to - from + 1)
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}

const CLAUSES = [
  'the authority published its findings in the second quarter',
  'households with children received the larger part of the grant',
  'imports of machinery fell while exports of food rose slightly',
  'several member states had not yet reported complete figures',
  'the survey covers enterprises with ten or more employees',
  'a revised method was applied to the series from 2009 onwards',
  'expenditure on research remained below the target set in Lisbon',
  'the number of applications pending at year end was reduced',
  'regional differences persist, above all between coast and interior',
  'waiting times improved in most hospitals that took part',
  'fuel taxes account for about a third of environmental revenue',
  'no adjustment has been made for seasonal or calendar effects',
  'the programme will be evaluated by an independent panel',
  'enrolment in vocational schools grew faster than in universities',
]
const STUBS = [
  'Belgium',
  'Bulgaria',
  'Czech Republic',
  'Denmark',
  'Germany',
  'Estonia',
  'Ireland',
  'Greece',
  'Spain',
  'France',
  'Italy',
  'Cyprus',
  'Latvia',
  'Lithuania',
  'Luxembourg',
  'Hungary',
  'Malta',
  'Netherlands',
  'Austria',
  'Poland',
  'Portugal',
  'Romania',
  'Slovenia',
  'Slovakia',
  'Finland',
  'Sweden',
  'United Kingdom',
  'Norway',
  'Iceland',
  'Turkey',
]
const LONG_STUBS = [
  'Agriculture, forestry and fishing',
  'Mining and quarrying',
  'Electricity, gas, steam and air conditioning supply',
  'Water supply; sewerage and waste management',
  'Wholesale and retail trade, repair of motor vehicles',
  'Transport and storage',
  'Accommodation and food service activities',
  'Information and communication',
  'Financial and insurance activities',
  'Professional, scientific and technical activities',
  'Public administration and defence',
  'Human health and social work',
  'Arts, entertainment and recreation',
]
const HEADS = [
  'Total',
  'Men',
  'Women',
  'Share of total (%)',
  'Annual change',
  'Number of enterprises',
  'Persons employed',
  'Turnover (million EUR)',
  'Value added',
  'Index 2005 = 100',
  'Per inhabitant',
  'Budget estimate',
  'Actual outlays',
  'Fiscal year 2011',
  'Rank',
  'Average hourly earnings',
  'Median age (years)',
  'Cases closed',
  'Cases pending',
]
const GROUPS = ['Urban areas', 'Rural areas', 'Males', 'Females', 'Public sector', 'Private sector']
const SECTIONS = ['Goods', 'Services', 'New members', 'Other countries', 'By age', 'By region']
const REMARKS = [
  'Licence granted, subject to yearly inspection',
  'Application withdrawn by the operator',
  'Under review',
  'Refused; an appeal is pending before the tribunal',
  'Extended until the end of 2014',
  'Transferred to the regional office',
]

function sentences(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: dice.between(1, 3) }, () => dice.of(CLAUSES)).join(', and ')
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`
  }).join(' ')
}
const paragraphs = (dice: Dice, count: number, length = 4): string =>
  Array.from({ length: count }, () => `<p>${sentences(dice, length)}</p>`).join('')

interface Cell {
  text: string
  span?: number
  html?: string
  indent?: number
}
const plain = (texts: readonly string[]): Cell[] => texts.map((text) => ({ text }))

/** Number formats of one column. */
function figure(dice: Dice): () => Cell {
  const kind = dice.below(8)
  const group = (value: number, sign: string): string =>
    String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, sign)
  return () => {
    if (dice.chance(0.04)) return { text: dice.of(['–', '..', 'n/a', ':', '-']) }
    if (dice.chance(0.02)) return { text: '' }
    const value = dice.next() ** 3 * 90_000
    let text: string
    if (kind === 0) text = group(value, ',')
    else if (kind === 1) text = group(value, '\u00a0')
    else if (kind === 2) text = (value / 1000).toFixed(1)
    else if (kind === 3) text = `${(value / 900).toFixed(1)}%`
    else if (kind === 4)
      text = dice.chance(0.3) ? `(${group(value / 10, ',')})` : group(value / 10, ',')
    else if (kind === 5) text = `${dice.chance(0.4) ? '-' : ''}${(value / 5000).toFixed(2)}`
    else if (kind === 6) text = (value / 1000).toFixed(1).replace('.', ',')
    else text = String(dice.between(1, 99))
    if (!dice.chance(0.03)) return { text }
    const mark = dice.of(['a', 'b', '1', '2'])
    return { text: text + mark, html: `${text}<sup>${mark}</sup>` }
  }
}

interface Made {
  html: string
  rows: string[][]
}

const cellHtml = (cell: Cell, tag: string, style = ''): string => {
  const span = cell.span ? ` colspan="${cell.span}"` : ''
  const indent = cell.indent ? `padding-left:${cell.indent}em;` : ''
  return `<${tag}${span} style="${indent}${style}">${cell.html ?? cell.text}</${tag}>`
}
const rowHtml = (cells: readonly Cell[], tag = 'td', name = ''): string =>
  `<tr class="${name}">${cells.map((cell) => cellHtml(cell, tag)).join('')}</tr>`
const flat = (cells: readonly Cell[]): string[] =>
  cells.flatMap((cell) => [cell.text, ...Array<string>((cell.span ?? 1) - 1).fill('')])

/** Heads of one to three levels over `count` columns of figures. */
function heads(dice: Dice, count: number): { html: string; rows: string[][] } {
  const stub = dice.of(['', 'Country', 'Industry', 'Item', 'Sector'])
  const years = dice.chance(0.45)
  const first = dice.between(1995, 2008)
  const names = Array.from({ length: count }, (_, i) =>
    years ? String(first + i) : dice.of(HEADS),
  )
  const levels: Cell[][] = [plain([stub, ...names])]
  if (count >= 4 && count % 2 === 0 && dice.chance(0.45)) {
    const width = dice.chance(0.5) && count % 3 === 0 ? count / 3 : 2
    const spans: Cell[] = Array.from({ length: count / width }, (_, i) => ({
      text: GROUPS[i % GROUPS.length]!,
      span: width,
    }))
    levels.unshift([{ text: '' }, ...spans])
    if (dice.chance(0.25))
      levels.unshift([{ text: '' }, { text: 'Thousands of persons', span: count }])
  } else if (dice.chance(0.2)) {
    levels.push([
      { text: '' },
      ...names.map(() => ({ text: dice.of(['(1)', '%', '1 000', 'EUR']) })),
    ])
  }
  return {
    html: levels.map((cells) => rowHtml(cells, 'th')).join(''),
    rows: levels.map(flat),
  }
}

function body(dice: Dice, count: number, length: number): { html: string; rows: string[][] } {
  const isLong = dice.chance(0.4)
  const stubs = isLong ? LONG_STUBS : STUBS
  const from = dice.below(stubs.length)
  const figures = Array.from({ length: count }, () => figure(dice))
  const isSame = dice.chance(0.5)
  const withSections = length >= 7 && dice.chance(0.3)
  const indent = withSections || dice.chance(0.3) ? dice.of([0.8, 1.5]) : 0
  const cells: { cells: Cell[]; name: string }[] = []
  const leaders = dice.chance(0.12)
  for (let i = 0; i < length; i++) {
    if (withSections && i % 4 === 0)
      cells.push({
        cells: [
          { text: SECTIONS[(i / 4) % SECTIONS.length]! },
          ...figures.map(() => ({ text: '' })),
        ],
        name: 'section',
      })
    let text = stubs[(from + i) % stubs.length]!
    if (leaders && !isLong) text = `${text} ${'.'.repeat(dice.between(6, 20))}`
    const stub = { text, indent: indent && (withSections || i % 3 !== 0) ? indent : 0 }
    cells.push({
      cells: [stub, ...figures.map((make) => (isSame ? figures[0]! : make)())],
      name: '',
    })
  }
  if (dice.chance(0.5)) {
    const total = figures.map((make) => (isSame ? figures[0]! : make)())
    cells.push({ cells: [{ text: 'Total' }, ...total], name: 'total' })
  }
  if (dice.chance(0.15)) {
    const money = (i: number): boolean => i === 0 || i === cells.length - 1
    cells
      .filter(({ name }) => name !== 'section')
      .forEach((row, i, all) => {
        if (!money(i) && i !== all.length - 1) return
        row.cells = row.cells.map((cell, c) =>
          c > 0 && /^[\d(]/.test(cell.text) && cell.html === undefined && !cell.text.includes('%')
            ? { text: `$${cell.text}` }
            : cell,
        )
      })
  }
  return {
    html: cells.map((row) => rowHtml(row.cells, 'td', row.name)).join(''),
    rows: cells.map((row) => flat(row.cells)),
  }
}

const RULES = [
  'none',
  'book',
  'book',
  'head',
  'light',
  'frame',
  'grid',
  'group',
  'ends',
  'shade',
] as const

function figuresTable(dice: Dice, columnsMax: number, lengthMax: number): Made {
  const count = dice.between(2, columnsMax)
  const head = heads(dice, count)
  const inside = body(dice, count, dice.between(4, lengthMax))
  const rule = dice.of(RULES)
  const style = `font-size:${dice.between(14, 19) / 2}pt;line-height:${dice.of([1.1, 1.25, 1.5])};--pad:${dice.of([1, 2, 4])}px ${dice.of([4, 7, 12])}px;${dice.chance(0.5) ? 'width:100%;' : ''}`
  const align = dice.of(['right', 'right', 'right', 'center'])
  return {
    html: `<table class="t ${rule} ${align}" style="${style}"><thead>${head.html}</thead><tbody>${inside.html}</tbody></table>`,
    rows: [...head.rows, ...inside.rows],
  }
}

function wordsTable(dice: Dice): Made {
  const head = ['Site', 'Operator', 'Decision', 'Date']
  const rows = Array.from({ length: dice.between(4, 8) }, (_, i) => [
    STUBS[(i * 3 + dice.below(3)) % STUBS.length]!,
    `${dice.of(['North', 'Delta', 'Alpine', 'Lower Rhine'])} ${dice.of(['Energy', 'Water Board', 'Rail'])}`,
    dice.of(REMARKS),
    `${dice.between(1, 28)} ${dice.of(['May', 'June', 'July'])} 201${dice.below(4)}`,
  ])
  const rule = dice.of(RULES)
  return {
    html: `<table class="t left ${rule}" style="font-size:${dice.between(15, 19) / 2}pt;--pad:${dice.of([2, 4])}px 8px;width:${dice.of(['100%', '430px'])}"><thead>${rowHtml(plain(head), 'th')}</thead><tbody>${rows.map((row) => rowHtml(plain(row))).join('')}</tbody></table>`,
    rows: [head, ...rows],
  }
}

const STYLE = `<style>
body{margin:0;font-size:10pt;line-height:1.35}p{margin:.5em 0}h2{font-size:14pt}h3{font-size:11pt}
.t{border-collapse:collapse;margin:.4em 0}.t td,.t th{padding:var(--pad);vertical-align:top;font-weight:inherit}
.t th{vertical-align:bottom}.t td:first-child,.t th:first-child{text-align:left}.right td,.right th{text-align:right}.center td,.center th{text-align:center}.left td,.left th{text-align:left}
.t th[colspan]{text-align:center}.total{font-weight:bold}.book{border-top:1.4px solid;border-bottom:1.4px solid}.book thead tr:last-child th,.head thead tr:last-child th{border-bottom:.8px solid}.book th[colspan]{border-bottom:.5px solid}
.light td,.light th{border-bottom:.5px solid #999}.frame{border:1px solid}.frame thead tr:last-child th{border-bottom:1px solid}.grid td,.grid th{border:.7px solid}.group tbody tr:nth-child(5n) td{border-bottom:.5px solid #777}.group thead tr:first-child th{border-top:1px solid}
.ends{border-top:1px solid;border-bottom:1px solid}.shade thead th{background:#cde}.shade tbody tr:nth-child(even){background:#eee}
.two{columns:2;column-gap:22px}.keep{break-inside:avoid}small{font-size:7.5pt;display:block}.cap{font-weight:bold;font-size:9pt;margin:.6em 0 .2em}
</style>`
const FONTS = [
  'Liberation Serif',
  'Liberation Sans',
  'DejaVu Sans',
  'Liberation Sans Narrow',
  'DejaVu Serif',
]
const document = (dice: Dice, inside: string): string =>
  `<!doctype html><meta charset="utf-8">${STYLE}<body style="font-family:'${dice.of(FONTS)}';${dice.chance(0.4) ? 'text-align:justify' : ''}">${inside}`

const caption = (dice: Dice, number: number): string =>
  `<p class="cap">${dice.of(['Table', 'TABLE', 'Tab.'])} ${number}${dice.of(['.', ':', ' –'])} ${dice.of(['Main indicators by country', 'Outlays by function, in millions of dollars', 'Persons employed by economic activity and sex, selected years', 'Key figures'])}</p>`
const note = (dice: Dice): string =>
  dice.chance(0.7)
    ? `<small>${dice.of(['Note', '(1)', 'a'])} ${sentences(dice, 1)}</small><small>Source: ${dice.of(['own calculations', 'national statistical institutes', 'labour force survey 2010'])}.</small>`
    : ''

function tablePage(seed: number): ReportPage {
  const dice = new Dice(seed)
  const layout = dice.below(8)
  const make = (columns: number, length: number): Made =>
    dice.chance(0.15) ? wordsTable(dice) : figuresTable(dice, columns, length)
  const block = (made: Made, number: number): string =>
    `<div class="keep">${dice.chance(0.75) ? caption(dice, number) : ''}${made.html}${note(dice)}</div>`
  const page = (name: string, inside: string, made: Made[], landscape = false): ReportPage => ({
    name: `${name} ${seed}`,
    html: document(dice, inside),
    landscape,
    tables: made.map(({ rows }) => rows),
  })
  if (layout === 0) {
    const made = figuresTable(dice, 4, 9)
    return page(
      'in a column',
      `<div class="two">${paragraphs(dice, 2)}${block(made, 1)}${paragraphs(dice, 6)}</div>`,
      [made],
    )
  }
  if (layout === 1) {
    const made = make(7, 14)
    return page(
      'over both columns',
      `<div class="two">${paragraphs(dice, 4)}</div>${block(made, 2)}<div class="two">${paragraphs(dice, 4)}</div>`,
      [made],
    )
  }
  if (layout === 2) {
    const made = [figuresTable(dice, 7, 8), make(6, 8)]
    return page(
      'two below',
      `${paragraphs(dice, 1)}${block(made[0]!, 3)}${paragraphs(dice, dice.below(2))}${block(made[1]!, 4)}`,
      made,
    )
  }
  if (layout === 3) {
    const made = figuresTable(dice, 10, 22)
    return page('landscape', `<h3>Annex ${dice.between(1, 9)}</h3>${block(made, 5)}`, [made], true)
  }
  if (layout === 4) {
    const made = make(8, 30)
    return page('whole page', `${block(made, 6)}`, [made])
  }
  const made = make(8, 12)
  return page(
    'in prose',
    `<h2>${dice.between(1, 9)}. Results</h2>${paragraphs(dice, 2)}${block(made, 7)}${paragraphs(dice, 2)}`,
    [made],
  )
}

function decoyPage(seed: number): ReportPage {
  const dice = new Dice(seed + 5000)
  const many = (count: number, make: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => make(i)).join('')
  const kinds: [string, () => string][] = [
    ['prose', () => `<h2>1. Introduction</h2>${paragraphs(dice, 6)}`],
    [
      'two columns',
      () =>
        `<div class="two">${many(4, () => `<h3>${dice.of(CLAUSES)}</h3>${paragraphs(dice, 2)}`)}</div>`,
    ],
    ['three columns', () => `<div style="columns:3;font-size:8.5pt">${paragraphs(dice, 14)}</div>`],
    [
      'contents without leaders',
      () =>
        `<h2>Contents</h2>${many(16, (i) => `<div style="display:flex;justify-content:space-between"><span>${i + 1}.${dice.below(4)}&emsp;${dice.of(CLAUSES).slice(0, 40)}</span><span>${i * 6 + 3}</span></div>`)}`,
    ],
    [
      'references',
      () =>
        `<h2>References</h2>${many(12, (i) => `<p style="padding-left:2em;text-indent:-2em">[${i + 1}]&emsp;${dice.of(STUBS)}, A. (200${i % 10}). ${sentences(dice, 1)} Journal ${i}, pp. ${i * 7}–${i * 9 + 3}.</p>`)}`,
    ],
    [
      'index',
      () =>
        `<div style="columns:3;font-size:8pt">${many(90, (i) => `<div>${dice.of(LONG_STUBS).split(' ')[0]}${i % 4 === 0 ? ',' : ''} ${dice.of(CLAUSES).split(' ')[2]}, ${dice.between(2, 300)}${dice.chance(0.4) ? `, ${dice.between(300, 400)}` : ''}</div>`)}</div>`,
    ],
    [
      'code',
      () =>
        `${paragraphs(dice, 1)}<pre style="font-size:8.5pt">${many(14, (i) => `${'    '.repeat(i % 3)}${dice.of(['if (count &gt; 10) {', 'int total = 0;          /* so far */', 'return sum(a, b);', 'for i in range(10):', 'x    = read(file);      // first', 'name = "port";          // second', '}'])}\n`)}</pre>${paragraphs(dice, 1)}`,
    ],
    [
      'form',
      () =>
        `<h3>Application</h3>${many(9, (i) => `<p>${['Name', 'Date of birth', 'Street', 'Town', 'Telephone', 'E-mail', 'Nationality', 'Place', 'Signature'][i]}: ______________________</p>`)}`,
    ],
    [
      'definitions',
      () =>
        `<div style="display:grid;grid-template-columns:110px 1fr;row-gap:6px">${many(9, () => `<b>${dice.of(HEADS)}</b><span>${sentences(dice, 1)}</span>`)}</div>`,
    ],
    [
      'numbered paragraphs',
      () =>
        many(
          9,
          (i) =>
            `<div style="display:flex;gap:18px;margin:6px 0"><span>${i + 1}.</span><span>${sentences(dice, 2)}</span></div>`,
        ),
    ],
    ['bullets', () => `<ul>${many(14, () => `<li>${dice.of(CLAUSES)}</li>`)}</ul>`],
    [
      'footnotes',
      () =>
        `${paragraphs(dice, 4)}<hr style="width:30%;margin-left:0">${many(5, (i) => `<small><sup>${i + 1}</sup> ${sentences(dice, 1)}</small>`)}`,
    ],
    [
      'letterhead',
      () =>
        `<div style="display:flex;justify-content:space-between"><div>Ministry of Finance<br>Room 214<br>12 High Street</div><div>Tel. 020 555 0199<br>Fax 020 555 0198<br>office@example.org</div></div>${paragraphs(dice, 3)}`,
    ],
    [
      'margin notes',
      () =>
        many(
          5,
          () =>
            `<div style="display:grid;grid-template-columns:1fr 110px;gap:16px"><div>${paragraphs(dice, 1)}</div><small style="margin-top:1em">${dice.of(CLAUSES)}</small></div>`,
        ),
    ],
    [
      'headline boxes',
      () =>
        many(
          3,
          () =>
            `<div style="border:1px solid;padding:8px;margin:10px 0"><b>Box ${dice.below(9)}</b>${paragraphs(dice, 1)}</div>`,
        ),
    ],
    [
      'transcript',
      () =>
        many(
          10,
          (i) =>
            `<div style="display:grid;grid-template-columns:90px 1fr"><span>${i % 2 === 0 ? 'CHAIR:' : 'MR. LANE:'}</span><span>${sentences(dice, 2)}</span></div>`,
        ),
    ],
    [
      'formulas',
      () =>
        `${paragraphs(dice, 1)}${many(4, (i) => `<div style="display:flex;justify-content:space-between;margin:10px 60px"><span><i>y</i><sub>${i}</sub> = <i>a</i> + <i>b</i> · <i>x</i><sup>2</sup></span><span>(${i + 1})</span></div>${paragraphs(dice, 1, 2)}`)}`,
    ],
    [
      'names of a board',
      () =>
        `<h3>Members</h3><div style="columns:2">${many(24, () => `<div>${dice.of(['Anna', 'Karl', 'Maria', 'Josef'])} ${dice.of(['Lind', 'Moser', 'Okoye', 'Varga'])}, ${dice.of(STUBS)}</div>`)}</div>`,
    ],
  ]
  const [name, inside] = kinds[seed % kinds.length]!
  return { name: `${name} ${seed}`, html: document(dice, inside()), landscape: false, tables: [] }
}

/** `count` pages with tables and a set of pages without any, the same ones for a seed. */
export function reportPages(seed: number, count: number): ReportPage[] {
  return [
    ...Array.from({ length: count }, (_, i) => tablePage(seed * 1000 + i)),
    ...Array.from({ length: 18 }, (_, i) => decoyPage(seed * 36 + i)),
  ]
}

const chart = (inside: string): string =>
  `<svg width="480" height="230" style="font-size:11px;font-family:sans-serif">${inside}</svg>`
const label = (x: number, y: number, text: string, anchor = 'end'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`

/** Charts: their labels stand in rows and columns, but make no table. */
export function chartPages(seed: number): ReportPage[] {
  const dice = new Dice(seed + 9000)
  const times = (count: number, make: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => make(i)).join('')
  const axis = (values: (i: number) => string): string =>
    times(6, (i) => label(40, 194 - i * 34, values(i))) +
    times(6, (i) => `<path d="M46 ${190 - i * 34}H470" stroke="#bbb" fill="none"/>`)
  const bars = times(8, (i) => {
    const height = dice.between(20, 170)
    return `<rect x="${60 + i * 50}" y="${190 - height}" width="28" height="${height}" fill="#369"/>${label(74 + i * 50, 206, String(2001 + i), 'middle')}${label(74 + i * 50, 186 - height, String(height), 'middle')}`
  })
  const across = times(7, (i) => {
    const width = dice.between(30, 250)
    return `${label(120, 30 + i * 26, STUBS[i]!)}<rect x="126" y="${18 + i * 26}" width="${width}" height="16" fill="#693"/>${label(132 + width, 30 + i * 26, (width / 7).toFixed(1), 'start')}`
  })
  const line = (colour: string): string =>
    `<path d="M60 ${dice.between(40, 180)}${times(8, (i) => `L${110 + i * 45} ${dice.between(30, 180)}`)}" stroke="${colour}" fill="none"/>`
  const lines = `${line('red')}${line('blue')}${times(9, (i) => label(60 + i * 45, 206, `Q${(i % 4) + 1}`, 'middle'))}${label(300, 226, 'Imports', 'start')}${label(380, 226, 'Exports', 'start')}`
  const pie = `<path d="M120 110L120 20A90 90 0 0 1 208 128Z" fill="#c63"/><path d="M120 110L208 128A90 90 0 1 1 120 20Z" fill="#36c"/>${times(5, (i) => `<rect x="270" y="${40 + i * 24}" width="10" height="10" fill="#999"/>${label(290, 50 + i * 24, STUBS[i + 3]!, 'start')}${label(420, 50 + i * 24, `${dice.between(3, 60)}%`)}`)}`
  const kinds: [string, string][] = [
    ['bars', axis((i) => String(i * 40)) + bars],
    ['bars across', across],
    ['lines', axis((i) => (i * 2.5).toFixed(1)) + lines],
    ['pie', pie],
  ]
  return kinds.map(([name, inside]) => ({
    name: `chart of ${name} ${seed}`,
    html: document(
      dice,
      `${paragraphs(dice, 1)}<p class="cap">Figure ${dice.between(1, 9)}. Trends</p>${chart(inside)}<small>Source: survey.</small>${paragraphs(dice, 1)}`,
    ),
    landscape: false,
    tables: [],
  }))
}
