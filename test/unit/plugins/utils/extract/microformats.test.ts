import { describe, expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

const page = (body: string, schema?: object) => {
  const content = `<html><head><title>Page</title></head><body>${body}</body></html>`
  const url = 'https://example.com/a/'
  const outcome = runExtract({
    source: 'html',
    content,
    contentType: null,
    url,
    ...(schema && { schema }),
  })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.data as any
}
const microformats = (body: string) => page(body).microformats

describe('microformats', () => {
  it('read values by the kind of their property', () => {
    const [item] = microformats(`<div class="h-event">
      <h1 class="p-name">A <b>talk</b></h1> <a class="u-url" href="talk">more</a>
      <time class="dt-start" datetime="2026-03-04T19:00">4 March</time>
      <abbr class="p-category" title="science">sci</abbr> <span class="p-category">night</span>
      <p class="dt-end"><span class="value">2026-03-04</span> at <span class="value">21:00</span></p>
      <div class="e-content"><p>All of <i>it</i></p></div> <span class="p-empty"></span></div>`)
    expect(item).toEqual({
      type: 'h-event',
      properties: {
        name: 'A talk',
        url: 'https://example.com/a/talk',
        start: '2026-03-04T19:00',
        category: ['science', 'night'],
        end: '2026-03-04 21:00',
        content: 'All of it',
      },
    })
  })

  it('hold things as properties and as children, each with its own names', () => {
    const items = microformats(`<div class="h-feed"><h1 class="p-name">Feed</h1>
      <article class="h-entry"><h2 class="p-name">One</h2>
        <a class="p-author h-card" href="/ann"><img class="u-photo" src="/ann.png" alt="">Ann Lee</a></article></div>
      <p class="h-geo"><data class="p-latitude" value="51.5">here</data></p>`)
    expect(items).toEqual([
      {
        type: 'h-feed',
        properties: { name: 'Feed' },
        children: [
          {
            type: 'h-entry',
            properties: {
              name: 'One',
              author: {
                type: 'h-card',
                properties: {
                  photo: 'https://example.com/ann.png',
                  name: 'Ann Lee',
                },
              },
            },
          },
        ],
      },
      { type: 'h-geo', properties: { latitude: '51.5' } },
    ])
  })

  it('imply the name, the photo and the address of a thing that says none', () => {
    expect(microformats('<a class="h-card" href="/x"><img src="i.png" alt="Jo Day"></a>')).toEqual([
      {
        type: 'h-card',
        properties: {
          name: 'Jo Day',
          photo: 'https://example.com/a/i.png',
          url: 'https://example.com/x',
        },
      },
    ])
  })

  it('are no classes that only look like them', () => {
    expect(
      microformats('<div class="h-100 H-card h- h-card2x vcard"><p class="p-3 p-name">x</p></div>'),
    ).toEqual([])
  })

  it('fill a schema in the words of its fields', () => {
    const card = `<p>We are at home.</p><div class="h-card"><span class="p-name">Ann Lee</span>, <span class="p-job-title">Baker</span>
      <a class="u-email" href="mailto:ann@example.com">write</a> <span class="p-tel">+49 30 1234567</span>
      <div class="p-adr h-adr"><span class="p-locality">Berlin</span></div></div>`
    const names = ['name', 'jobTitle', 'telephone', 'city']
    expect(page(card, Object.fromEntries(names.map((name) => [name, 'string'])))).toEqual({
      name: 'Ann Lee',
      jobTitle: 'Baker',
      telephone: '+49 30 1234567',
      city: 'Berlin',
    })
  })

  it('say who wrote a page of one entry, and not that of a list', () => {
    const entry = (
      title: string,
      author: string,
    ) => `<article class="h-entry"><h2 class="p-name">${title}</h2>
      <p class="e-content">${'Words of a story that goes on for a while. '.repeat(20)}</p>
      <a class="p-author h-card" href="/u">${author}</a> <time class="dt-published" datetime="2026-02-03">x</time></article>`
    const one = page(entry('A long walk', 'Ann Lee'))
    expect([one.title, one.authors, one.published_at]).toEqual([
      'A long walk',
      ['Ann Lee'],
      expect.stringMatching(/^2026-02-03/),
    ])
    const list = page(entry('A long walk', 'Ann Lee') + entry('A short rest', 'Bo Tan'))
    expect(list.microformats).toHaveLength(2)
    expect(list.title).not.toBe('A short rest')
  })

  it('end on any depth and any number of names', () => {
    const deep = '<div class="p-a h-card">'.repeat(300) + 'x' + '</div>'.repeat(300)
    expect(() => microformats(deep)).not.toThrow()
    const names = Array.from(
      { length: 5_000 },
      (_, at) => `p-n${String.fromCharCode(97 + (at % 26))}${'a'.repeat(at / 26)}`,
    )
    const [item] = microformats(`<div class="h-card"><p class="${names.join(' ')}">text</p></div>`)
    expect(Object.keys(item.properties).length).toBeLessThanOrEqual(17)
  })
})
