/** Feeds: each entry by itself, whatever the version, and what a caller's schema gets of them. */
import { describe, expect, test } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

const rss = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><atom:link rel="self" href="https://shop.test/feed"/><title>Widget News</title><link>https://shop.test/</link><description>All about widgets</description><language>en</language>
<item><title>Blue &amp;amp; green</title><atom:link rel="x" href="https://shop.test/x"/><link>/blue</link><dc:creator>Ann Lee</dc:creator><pubDate>Mon, 02 Nov 2026 10:00:00 EST</pubDate><category>colours</category><description>Short.</description><content:encoded><![CDATA[<p>The <b>blue</b> one costs 12 EUR.</p><p>It lasts.</p>]]></content:encoded></item>
<item><title>Red recalled</title><guid>https://shop.test/red</guid><pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;The red one burns.&lt;/p&gt;</description><enclosure url="red.mp3" type="audio/mpeg"/></item>
</channel></rss>`

const order = (content: string, more: object = {}) => ({
  source: 'url' as const,
  content,
  contentType: 'application/rss+xml',
  url: 'https://shop.test/feed',
  ...more,
})
const dataOf = (content: string, more?: object): unknown => {
  const outcome = runExtract(order(content, more))
  return outcome.ok ? outcome.data : outcome
}

test('RSS: every entry with its own link, author, date and text', () => {
  expect(dataOf(rss)).toEqual({
    type: 'feed',
    format: 'rss',
    title: 'Widget News',
    description: 'All about widgets',
    url: 'https://shop.test/',
    author: null,
    language: 'en',
    modified_at: null,
    image: null,
    items: [
      {
        title: 'Blue & green',
        url: 'https://shop.test/blue',
        author: 'Ann Lee',
        published_at: '2026-11-02T10:00:00-05:00',
        modified_at: null,
        categories: ['colours'],
        text: 'The blue one costs 12 EUR.\n\nIt lasts.',
        media: null,
      },
      {
        title: 'Red recalled',
        url: 'https://shop.test/red',
        author: null,
        published_at: '2026-11-03T10:00:00Z',
        modified_at: null,
        categories: [],
        text: 'The red one burns.',
        media: 'https://shop.test/red.mp3',
      },
    ],
  })
})

test.each(['items', 'articles', 'entries'])('a schema that asks for %s', (name) => {
  const item = { title: { type: 'string' }, url: { type: 'string' }, date: { type: 'string' } }
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string' },
      [name]: { type: 'array', items: { type: 'object', properties: item } },
    },
  }
  expect(dataOf(rss, { schema })).toMatchObject({
    title: 'Widget News',
    [name]: [
      { title: 'Blue & green', url: 'https://shop.test/blue' },
      { title: 'Red recalled', url: 'https://shop.test/red' },
    ],
  })
})

test('as Markdown', () => {
  const outcome = runExtract(order(rss, { formats: ['markdown', 'links'] }))
  expect(outcome).toMatchObject({
    formats: {
      markdown: expect.stringContaining(
        '## [Blue & green](<https://shop.test/blue>)\n\nAnn Lee, 2026-11-02T10:00:00-05:00\n\nThe blue one',
      ),
      links: [{ text: 'Blue & green' }, { text: 'Red recalled' }],
    },
  })
})

describe('Atom', () => {
  const entry = (content: string): string =>
    `<atom:feed xmlns:atom="http://www.w3.org/2005/Atom" xml:lang="de"><atom:title>Hefte</atom:title><atom:author><atom:name>Jo</atom:name></atom:author><atom:entry><atom:title type="html">Ein &lt;b&gt;Heft&lt;/b&gt;</atom:title><atom:link rel="self" href="/self"/><atom:link href="/eins"/><atom:updated>2026-11-02T10:00:00Z</atom:updated>${content}</atom:entry></atom:feed>`
  test.each([
    ['plain', '<atom:content>Zwei Wörter</atom:content>'],
    ['escaped', '<atom:content type="html">&lt;p&gt;Zwei Wörter&lt;/p&gt;</atom:content>'],
    [
      'markup',
      '<atom:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Zwei <i>Wörter</i></div></atom:content>',
    ],
    ['names of HTML', '<atom:summary>Zwei W&ouml;rter</atom:summary>'],
  ])('%s', (_, content) => {
    expect(dataOf(entry(content))).toMatchObject({
      format: 'atom',
      language: 'de',
      items: [
        {
          title: 'Ein Heft',
          url: 'https://shop.test/eins',
          author: 'Jo',
          published_at: '2026-11-02T10:00:00Z',
          text: 'Zwei Wörter',
        },
      ],
    })
  })
})

test('what is no feed, or broken, is read as before', () => {
  expect(
    dataOf('<html><head><title>On rss</title></head><body><p>Feeds.</p></body></html>'),
  ).toMatchObject({ type: 'webpage', title: 'On rss' })
  expect(dataOf(rss.replace('</item>', ''))).toMatchObject({ title: 'Widget News' })
  expect(dataOf('<feed><product><price>1</price></product></feed>')).toMatchObject({ type: 'text' })
})
