import { describe, expect, it } from 'vitest'
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
})
