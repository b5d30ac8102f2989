import { describe, expect, it } from 'vitest'
import { findDate } from '../../../../../plugins/utils/extract/article/parse-date.ts'
import { looksLikeName, namesOf } from '../../../../../plugins/utils/extract/article/names.ts'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

interface Article {
  title: string | null
  author: string | null
  published_at: string | null
  modified_at: string | null
  text: string
}
function read(content: string, url: string | null = null): Article {
  const outcome = runExtract({ source: 'html', content, contentType: null, url })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.data as Article
}

const BODY = [
  'The old lock on the canal was opened on Monday for the first time since the war, and a boat with forty children went through it.',
  'The keeper had oiled the gates for a week. He said that he had not slept, and that he would sleep now.',
  'Three more locks are to follow before the winter, if the money lasts and the masons stay.',
].map((text) => `<p>${text}</p>`)
const page = (head: string, top: string, end = ''): string =>
  `<html lang="en"><head>${head}</head><body>${top}<div class="body">${BODY.join('')}</div>${end}</body></html>`

describe('names in bylines', () => {
  it.each([
    ['By Ann Berg and Ben Roth', ['Ann Berg', 'Ben Roth']],
    ['Tom Ash\nLocal Democracy Reporter', ['Tom Ash']],
    ['BY JAMES T. HALL, TRANSPORT CORRESPONDENT', ['JAMES T. HALL']],
    ['Words by Ann Berg; photographs by Ben Roth', ['Ann Berg']],
    ['Ann Berg, University of Brenn', ['Ann Berg']],
    ['12.03.2024 | Door: Femke Bos', ['Femke Bos']],
    ['2024-05-13 09:21　来源：日报　作者：李文', ['李文']],
    ['بقلم: ليلى منصور', ['ليلى منصور']],
    ['Автор: Ольга Сергеева', ['Ольга Сергеева']],
    ['Written by Ann Berg | Last updated: March 8, 2020', ['Ann Berg']],
    ['Category: Chess', []],
    ['Staff', []],
    ['Share this', []],
    ['Follow us on Facebook', []],
    ['Artikel teilen', []],
  ])('%s', (byline, names) => expect(namesOf(byline)).toEqual(names))

  it('tells a name by its form from a heading', () => {
    expect(['Ann Berg', 'Jan van der Meer', "Niamh O'Connor"].every(looksLikeName)).toBe(true)
    expect(
      ['Breaking News', 'Read more', 'Norlake AB', 'Why Not?', 'Ann'].some(looksLikeName),
    ).toBe(false)
  })
})

describe('dates as people write them', () => {
  it.each([
    ['11.02.2024 19:30', '2024-02-11'],
    ['02/11/2024', '2024-02-11'],
    ['4. 7. 2023', '2023-07-04'],
    ['2024. május 5.', '2024-05-05'],
    ['18 سبتمبر 2022', '2022-09-18'],
    ['5. listopadu 2021', '2021-11-05'],
    ['Wed Sep 14 20:11:07 CEST 2011', '2011-09-14'],
    ['2023年11月8日 10時', '2023-11-08'],
    ['7.set.2023', '2023-09-07'],
  ])('%s', (text, date) => expect(findDate(text, { monthFirst: true })?.date).toBe(date))
})

describe('an article', () => {
  it('has the headline that the page shows, not the name over the site', () => {
    expect(
      read(
        page(
          '<title>Canal Diary: The lock is open again</title>',
          '<h1>Canal Diary</h1><h2>The lock is open again</h2>',
        ),
      ).title,
    ).toBe('The lock is open again')
    expect(
      read(
        page(
          '<title>The lock is open again - Canal Diary</title>',
          '<h1><a href="/">Canal Diary</a></h1><h3 class="entry-title">The lock is open again</h3>',
        ),
      ).title,
    ).toBe('The lock is open again')
    expect(
      read(
        page(
          '<title>Print: The lock is open again</title>',
          '<font size="5">The lock is open again</font>',
        ),
      ).title,
    ).toBe('The lock is open again')
  })

  it('has no author where only the site is named, and a weblog is its author’s', () => {
    const head = (name: string): string =>
      `<title>The lock is open again | ${name}</title><meta name="author" content="${name}">`
    expect(read(page(head('The Star'), '<h1>The lock is open again</h1>')).author).toBeNull()
    expect(read(page(head('Ann Berg'), '<h1>The lock is open again</h1>')).author).toBe('Ann Berg')
  })

  it('has no author where the page says that none is known', () => {
    const head = (name: string): string => `<meta name="author" content="${name}">`
    const line = '<h1>The lock is open again</h1><div class="byline">By $</div>'
    for (const name of ['Not Known Yet', 'To Be Announced', 'Author Name', 'Unbekannt', 'TBA']) {
      expect(read(page(head(name), '<h1>The lock is open again</h1>')).author, name).toBeNull()
      expect(read(page('', line.replace('$', name))).author, name).toBeNull()
    }
    expect(read(page(head('Not Known Yet'), line.replace('$', 'Noah Nyet'))).author).toBe(
      'Noah Nyet',
    )
  })

  it('keeps a paragraph that the next one repeats, and leaves out a copy of the whole', () => {
    const refrain = `<p>The lock is open, the lock is open, and nobody had a key to it before today.</p>`
    const html = page('', `<h1>The lock is open again</h1>`, refrain + refrain)
    expect(read(html).text.match(/nobody had a key/g)).toHaveLength(2)
    const copy = `<div class="for-print">${BODY.join('')}</div>`
    const first = BODY[0]!.replaceAll(/<p>|<\/p>/g, '')
    expect(read(page('', `<h1>The lock is open again</h1>`, copy)).text.split(first)).toHaveLength(
      2,
    )
  })

  it('tells the day of publication from the day of change by their labels', () => {
    const { published_at, modified_at } = read(
      page(
        '',
        '<h1>The lock is open again</h1><div>Last updated: March 9, 2024 · Published: March 2, 2024</div>',
      ),
    )
    expect([published_at, modified_at]).toEqual(['2024-03-02', '2024-03-09'])
  })

  it('ends before its author’s portrait, other stories and comments', () => {
    const end =
      '<div><h3>About the author</h3><p>Ann Berg keeps a lock and a diary, and has written about both for thirty years.</p><h3>More stories</h3><p><a href="/x">A barge in the reeds</a></p></div>'
    const { text } = read(page('', '<h1>The lock is open again</h1><p>By Ann Berg</p>', end))
    expect(text.split('\n\n')).toHaveLength(3)
  })

  it('has all its paragraphs when they stand in several containers, with the lead', () => {
    const [a, b, c] = BODY.map((text) => text.replaceAll(/<p>|<\/p>/g, ''))
    const part = (text: string): string =>
      `<div class="part"><div class="inner"><p class="copy">${text}</p></div></div>`
    const { text } = read(
      `<body><h1>The lock is open again</h1><div class="intro"><p>It took seventy-nine years and a tin of oil to open it.</p></div>${part(a!)}<div class="promo"><a href="/x">Subscribe</a></div>${part(b!)}<div class="related"><a href="/y">More</a></div>${part(c!)}</body>`,
    )
    expect(text.split('\n\n')).toEqual([
      'It took seventy-nine years and a tin of oil to open it.',
      a,
      b,
      c,
    ])
  })

  it('is read from the page’s own data when scripts draw the page', () => {
    const state = {
      props: {
        menu: [{ title: 'Home' }],
        article: {
          title: 'The lock is open again',
          publishedAt: '2024-05-06T07:00:00Z',
          author: { name: 'Ann Berg' },
          body: BODY.join(''),
        },
      },
    }
    const shells = [
      `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`,
      `<script>window.__INITIAL_STATE__ = ${JSON.stringify(state)}; start()</script>`,
    ]
    for (const shell of shells) {
      const found = read(`<body><div id="root">Loading</div>${shell}</body>`)
      expect([found.title, found.author, found.published_at]).toEqual([
        'The lock is open again',
        'Ann Berg',
        '2024-05-06T07:00:00Z',
      ])
      expect(found.text).toContain('if the money lasts')
    }
  })
})

describe('headlines', () => {
  it.each([
    ['<title>(3) Forty children in a boat | Canal Board</title>', '', 'Forty children in a boat'],
    [
      '<title>Forty children go through the lock</title><meta property="og:title" content="Forty children go…">',
      '',
      'Forty children go through the lock',
    ],
    [
      '<title>News | Canal Board</title><meta property="og:title" content="Canal Board">',
      '<h2>Forty children in a boat</h2>',
      'Forty children in a boat',
    ],
    [
      '<title>Canal Board: forty children in a boat</title><meta property="og:site_name" content="Canal Board">',
      '',
      'forty children in a boat',
    ],
    ['<title>Old locks < Locks < Canals</title>', '', 'Old locks'],
    [
      '<title>Forty children in a boat | Canal Board – news from the water</title>',
      '',
      'Forty children in a boat',
    ],
    [
      '<title>Untitled Document</title>',
      '<b>Forty children in a boat</b>',
      'Forty children in a boat',
    ],
    [
      '<title>Old locks - Canal Wiki</title>',
      '<h1>Old locks <span class="mw-editsection">[edit]</span></h1>',
      'Old locks',
    ],
    [
      '<title>Forty children in a boat</title>',
      '<h1><i>Canals</i> Forty children in a boat</h1>',
      'Forty children in a boat',
    ],
    [
      '<title>Old locks</title>',
      '<div itemscope itemtype="https://schema.org/Organization"><h1 itemprop="name">Canal Board</h1></div>',
      'Old locks',
    ],
    // What only looks like one of these stays.
    ['<title>Locks: what forty children saw</title>', '', 'Locks: what forty children saw'],
    ['<title>(Not) opening the old lock</title>', '', '(Not) opening the old lock'],
  ])('%s %s', (head, top, title) => expect(read(page(head, top)).title).toBe(title))
})

describe('the day of publication', () => {
  it.each([
    ['8 August 2019 by Ann Berg', '2019-08-08'],
    ['TALLINN, Aug. 8, 2019 (Reuters)', '2019-08-08'],
    // A day that a sentence tells of, and one that is yet to come.
    ['It was closed on 5 March 1942 by the army, which blew up both of its gates.', null],
    ['The mayor resigned on 5 March 2012, and nobody knew why until the papers came out.', null],
    ['Next event: 24 December 2090', null],
  ])('%s', (line, day) =>
    expect(
      read(page('', `<h1>Old locks</h1><p>${line}</p>`)).published_at?.slice(0, 10) ?? null,
    ).toBe(day),
  )

  it('is what a property of Korean papers says', () => {
    const head = '<meta property="og:regDate" content="20210820030646">'
    expect(read(page(head, '<h1>Old locks</h1>')).published_at).toMatch(/^2021-08-20/)
  })
})

it('leaves no word of a byline whose name is a link', () => {
  const { text, author } = read(
    page('', '<h1>Old locks</h1><p>By <a rel="author" href="/a">Ann Berg</a></p>'),
  )
  expect(author).toBe('Ann Berg')
  expect(text.startsWith('The old lock')).toBe(true)
})
