import { describe, expect, it } from 'vitest'
import { layoutOf } from '../../../../../plugins/utils/extract/article/layout.ts'
import { sectionedContainer } from '../../../../../plugins/utils/extract/article/sections.ts'
import { attr, parsePage } from '../../../../../plugins/utils/extract/dom/tree.ts'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

/** A page of a manual as Sphinx writes it: sections whose ids are made of their headings. */
function manual(section: (id: string, heading: string, text: string) => string): string {
  const sections = [
    [
      'cookies',
      'Cookies',
      'A response that sets cookies keeps them in a jar which is read like a map.',
    ],
    [
      'related-work',
      'Related work',
      'Other readers keep their cookies in files, and lock those while they write.',
    ],
    [
      'comments',
      'Comments',
      'A line that begins with a number sign is a comment, and ends where the line does.',
    ],
  ] as const
  const before = 'The reader fetches a page and keeps what the page asks it to keep. '.repeat(8)
  return `<html><head><title>Reading &#8212; Reader 2.1 documentation</title></head><body><div class="document">
    <div class="admonition note"><p class="admonition-title">Note</p><p>Written for version two.</p></div>
    <section id="reading"><h1>Reading<a class="headerlink" href="#reading">¶</a></h1><p>${before}</p>
    ${sections.map(([id, heading, text]) => section(id, heading, text)).join('')}</section></div></body></html>`
}
const SECTIONS = [
  ['Bricks', 'Bricks of an oven keep the heat of the fire for a night, and give it back slowly.'],
  ['Doors', 'A door of iron is closed before the bread goes in, so that no heat is lost.'],
  ['Flues', 'The flue draws the smoke away, and is swept in spring before the swallows come.'],
] as const

const read = (content: string) => {
  const outcome = runExtract({ source: 'html', content, contentType: null, url: null })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.data as { title: string | null; text: string }
}

describe('pages of manuals', () => {
  it('keeps sections whose headings say what furniture is called', () => {
    const { text } = read(
      manual(
        (id, heading, text) =>
          `<section id="${id}"><span id="index-0"></span><h2>${heading}<a class="headerlink" href="#${id}">¶</a></h2><p>${text}</p></section>`,
      ),
    )
    expect(text).toContain('keeps them in a jar')
    expect(text).toContain('lock those while they write')
    expect(text).toContain('begins with a number sign')
    expect(text).not.toContain('¶')
  })

  it('leaves out the same sections where nothing links them as parts of the text', () => {
    const { text } = read(
      manual(
        (id, heading, text) => `<section id="${id}"><h2>${heading}</h2><p>${text}</p></section>`,
      ),
    )
    expect(text).toContain('The reader fetches a page')
    expect(text).not.toContain('begins with a number sign')
  })

  it('is called by its one headline, though notes have titles too', () => {
    expect(read(manual(() => '')).title).toBe('Reading')
  })

  it('reads text inside of a target that was closed as in XML', () => {
    const chapters = SECTIONS.map(
      ([name, text]) =>
        `<div class="section"><div class="titlepage"><h2 class="title"><a id="_${name}"/>${name}</h2></div><p>${text.repeat(6)}</p></div>`,
    )
    const { text } = read(
      `<html><head><title>Chapter 1. Ovens</title></head><body><div class="chapter"><div class="titlepage"><h1 class="title"><a id="_ovens"/>Chapter 1. Ovens</h1></div>${chapters.join('')}</div></body></html>`,
    )
    for (const [, sentence] of SECTIONS) expect(text).toContain(sentence)
  })

  it('keeps short sections beside a long one, and listings and lists in them', () => {
    const sect = (heading: string, inner: string): string =>
      `<div class="sect1"><h2 id="_${heading}">${heading}</h2><div class="sectionbody">${inner}</div></div>`
    const paragraph = (text: string): string => `<div class="paragraph"><p>${text}</p></div>`
    const { text } = read(
      `<html><head><title>kiln(1)</title></head><body class="manpage"><div id="header"><h1>kiln(1) Manual Page</h1></div><div id="content">
      ${sect('SYNOPSIS', '<div class="verseblock"><pre>kiln [--hot] &lt;pot&gt;</pre></div>')}
      ${sect(
        'DESCRIPTION',
        SECTIONS.map(([, one]) => paragraph(one))
          .join('')
          .repeat(2),
      )}
      ${sect('OPTIONS', `<div class="dlist"><dl><dt>--hot</dt><dd><p>${SECTIONS[0][1]} It then waits.</p></dd><dt>--cold</dt><dd><p>Lets the pot cool in the air of the room, which takes a night.</p></dd></dl></div>`)}
      ${sect('EXAMPLES', `<div class="listingblock"><pre>kiln --hot mug.pot\nkiln --cold mug.pot</pre></div>${paragraph('The first of these fires a mug, and the second one lets it cool before it is taken out.')}`)}
      ${sect('NOTES', paragraph('Pots that were wet when they went in burst, and this is not reported anywhere.'))}
      </div><div id="footer">Last updated 2020-01-01</div></body></html>`,
    )
    expect(text).toContain('kiln [--hot] <pot>')
    expect(text).toContain('Lets the pot cool in the air')
    expect(text).toContain('kiln --cold mug.pot')
    expect(text).toContain('this is not reported anywhere')
  })

  it('keeps lists of Japanese, whose commas are 、', () => {
    const sentences = [
      '窯の扉を開けて、前の日の灰をすべて取り除き、床をきれいに掃いてください。',
      '乾いた薪を奥から順に並べ、細い枝をその上に置いて、火をつけます。',
      '火が強くなったら、扉を半分だけ閉め、煙が外へ流れることを確かめてください。',
      '温度が上がったら、炭を両側に寄せ、濡れた布で床を拭いて、パンを入れます。',
      '焼けたパンは、木の棚に並べ、布をかけて、朝まで冷まします。',
    ]
    const paragraph = (count: number, name: string): string =>
      `<p>${sentences.slice(0, count).join('')}${name}。</p>`
    const items = [2, 2, 1, 3, 1, 5].map(
      (count, at) =>
        `<li>${paragraph(count, `手順${at}`)}${at === 3 ? paragraph(4, '注意') : ''}</li>`,
    )
    const { text } = read(
      `<html><head><title>D.5.</title></head><body><div class="sect1"><div class="titlepage"><div><div><h2 class="title"><a name="kiln"></a>${sentences[1]}</h2></div></div></div>
      ${[5, 2, 3, 2].map((count, at) => paragraph(count, `序文${at}`)).join('')}<div class="itemizedlist"><ul>${items.join('')}</ul></div></div></body></html>`,
    )
    for (const name of ['手順0', '手順3', '注意', '手順5']) expect(text).toContain(name)
  })

  it.each([
    ['sections', (name: string) => name, true],
    [
      'sections whose headings link to themselves',
      (name: string) => `<a href="#${name}">${name}</a>`,
      true,
    ],
    ['teasers of other pages', (name: string) => `<a href="/${name}">${name}</a>`, false],
  ])('holds together %s: %s', (_, heading, isWhole) => {
    const parts = SECTIONS.map(
      ([name, text]) => `<div class="part"><h3>${heading(name)}</h3><p>${text}</p></div>`,
    )
    const page = parsePage(`<body><div id="all">${parts.join('')}</div></body>`)
    const found = sectionedContainer(page, layoutOf(page))
    expect(found && attr(found, 'id')).toBe(isWhole ? 'all' : null)
  })

  it('keeps the introduction and each function of a reference that lists them by definitions', () => {
    const before =
      'Elements of a list are gathered by what they have in common, here by their place. '
    const ways = [
      'the rows',
      'the columns',
      'the diagonals',
      'the corners',
      'the edges',
      'the cells',
    ]
    const first = ways.map(
      (one) =>
        `<p>If ${one} of the matrix are named, their values are added up, unless a function is given, which is called with a vector of them, in the order in which they stand, and returns one value.</p>`,
    )
    const second = 'An array is made of the slices of another, at the places that were given.'
    const list = (name: string, inner: string) =>
      `<dl class="def"><dt>${name} (subs, vals)</dt><dd>${inner}</dd></dl>`
    const { text } = read(
      `<title>Gathering</title><div class="section"><h3>Gathering</h3><p>${before}</p>
      ${list('gather', `${first.join('')}<pre>gather ([1, 2], [3, 4])</pre>`)}
      ${list('gatherdim', `<p>${second}</p><pre>gatherdim ([1, 2], [3, 4])</pre>`)}</div>`,
    )
    for (const part of [before.trim(), 'gather (subs', 'gatherdim (subs', second])
      expect(text).toContain(part)
  })

  it('keeps all of a section whose longest part is a warning', () => {
    const sentence = (of: string) =>
      `<p>Accounts of ${of}, if they are moved below another, take its currency, its totals, and its place in reports, so that sums of the year before, which were printed, no longer agree.</p>`
    const kinds = ['banks', 'cash', 'cards', 'debts', 'funds', 'shares', 'trades', 'wages']
    const items = kinds
      .map((one) => `<li><p>${one}: all but ${one} may be their children.</p></li>`)
      .join('')
    const warning = kinds.slice(0, 5).map(sentence).join('')
    const { text } = read(
      `<title>Kinds of accounts</title><body><div class="navheader"><table><tr><td><a href="a.html">Back</a></td><td><a href="b.html">Next</a></td></tr></table></div>
      <div class="sect1"><h2>Kinds of accounts</h2><div class="warning"><table><tr><th>Warning</th></tr><tr><td>${warning}</td></tr></table></div>
      <p>Each account has a kind that says what may stand below it.</p><ul>${items}</ul><p>Kinds that may not stand there are grey.</p></div></body>`,
    )
    for (const part of [
      'has a kind that says',
      'wages: all but wages',
      'are grey',
      'Accounts of banks',
    ])
      expect(text).toContain(part)
  })

  it('keeps what a manual says of several functions in the same words, and no copy of the page', () => {
    const same =
      'The listener is called with no arguments, after the oven has been closed for a while.'
    const one = (name: string, own: string) =>
      `<section><h2>${name}</h2><p>${own}</p><p>${same}</p></section>`
    const sections = SECTIONS.map(([name, own]) => one(name, own)).join('')
    const timesIn = (body: string) =>
      read(`<title>Ovens</title><main>${body}</main>`).text.split(same).length - 1
    expect(timesIn(`<h1>Ovens</h1>${sections}`)).toBe(3)
    expect(timesIn(`<h1>Ovens</h1><div>${sections}</div><div>${sections}</div>`)).toBe(3)
    expect(timesIn(`<h1>Ovens</h1><blockquote>${same}</blockquote>${sections}`)).toBe(3)
  })
})

describe('a box that is named sidebar', () => {
  const paragraph = (text: string): string => `<div class="para">${text.repeat(3)}</div>`
  const QUOTA = 'A quota limits the room that the files of one person may take on a disk. '
  const BLOCKS =
    'The file system parts the disk into blocks of one size, which is set when it is made. '
  const ASKED = 'Nobody asked for this box, which tells of the makers of the site at some length. '
  const page = (body: string): string =>
    `<html><head><title>Quotas</title></head><body><div class="section"><h1>Quotas</h1>${body}</div></body></html>`
  const textOf = (html: string): string => read(html).text

  it.each([
    ['between paragraphs', `<div class="sidebar"><p>${BLOCKS}</p></div>${paragraph(QUOTA)}`],
    [
      'with the title of DocBook, at the end',
      `<div class="sidebar"><div class="titlepage"><p><b>GLOSSARY</b> Blocks</p></div><p>${BLOCKS}</p></div>`,
    ],
    ['of Sphinx', `<aside class="sidebar"><p>${BLOCKS}</p></aside>${paragraph(QUOTA)}`],
  ])('is text: %s', (_, box) => {
    const more = paragraph('Limits are soft or hard, and a soft one may be passed for a while. ')
    expect(textOf(page(paragraph(QUOTA) + more + box))).toContain(BLOCKS.trim())
  })

  it.each([
    ['beside the text', `<div class="sidebar"><p>${ASKED}</p></div>`],
    [
      'of links between paragraphs',
      `<div class="sidebar"><p><a href="/a">${ASKED}</a></p></div>${paragraph(BLOCKS)}`,
    ],
  ])('is furniture: %s', (_, box) => {
    const more = paragraph('Limits are soft or hard, and a soft one may be passed for a while. ')
    expect(textOf(page(paragraph(QUOTA) + more + box))).not.toContain('Nobody asked')
  })
})
