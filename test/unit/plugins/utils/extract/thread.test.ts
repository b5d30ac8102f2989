import { describe, expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

interface Found {
  author: string | null
  published_at: string | null
  text: string
}
function read(body: string): Found & { engine: string } {
  const content = `<html lang="en"><head><title>Gate</title></head><body><h1>Gate squeaks</h1>${body}</body></html>`
  const outcome = runExtract({ source: 'html', content, contentType: null, url: null })
  if (!outcome.ok) throw new Error(outcome.message)
  return { ...(outcome.data as Found), engine: outcome.engine }
}

const TEXTS = [
  'The garden gate has squeaked since the frost and I have no oil in the house.',
  'Rub the hinge with the lead of a soft pencil until it is grey and shiny.',
  'It is silent now, and I have a drawing on my thumb. Thank you very much.',
]
const post = (text: string, at: number): string =>
  `<div class="post"><div class="poster"><a class="username">member_${at}</a><p>Joined: 02 Jan 2010</p></div><p class="when">${at + 3} May 2020</p><div class="post-body">${text}</div><div class="signature">Never mind the width, feel the quality of it.</div></div>`

describe('threads', () => {
  it('are all posts without panels and signatures, begun by the first', () => {
    const found = read(TEXTS.map(post).join(''))
    expect(found).toMatchObject({
      engine: 'thread',
      author: 'member_0',
      published_at: '2020-05-03',
      text: TEXTS.join('\n\n'),
    })
  })
  it('are no comments below an article', () => {
    const article = Array.from({ length: 4 }, (_, at) => `<p>${at}. ${TEXTS.join(' ')}</p>`)
    const comments = TEXTS.map(post).join('')
    const found = read(
      `<article>${article.join('')}</article><div class="comments">${comments}</div>`,
    )
    expect(found.engine).not.toBe('thread')
    expect(found.text).not.toContain('member_1')
  })
})

describe('banners and lists', () => {
  it('leaves a question for consent out, however long it is', () => {
    const ask =
      'We and our 200 partners store cookies on your device and process personal data on the basis of legitimate interest. '
    const found = read(
      `<div class="cmp-wrap"><p>${ask.repeat(20)}</p></div><div>${TEXTS.map((text) => `<p>${text}</p>`).join('')}</div>`,
    )
    expect(found.text).toBe(TEXTS.join('\n\n'))
  })
  it('gives a list of teasers neither the date nor the author of its first', () => {
    const card = (text: string, at: number): string =>
      `<article class="card"><h2><a href="/${at}">Note ${at}</a></h2><span class="author">Ann Berg</span><time>May ${at + 1}, 2024</time><p>${text}</p></article>`
    const found = read(`<main>${TEXTS.map(card).join('')}</main>`)
    expect([found.author, found.published_at]).toEqual([null, null])
    for (const text of TEXTS) expect(found.text).toContain(text)
  })
})
