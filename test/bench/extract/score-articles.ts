/** Scores of article reading: token F1 of the text, hits of title, author and date. */
import { runExtract } from '../../../plugins/utils/extract/worker.ts'
import { type ArticlePage, unmarked } from './article-page.ts'

/** Words; of scripts that write none between spaces, each character. */
const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? []

export function tokenF1(found: string, wanted: string): number {
  const counts = new Map<string, number>()
  for (const token of tokens(wanted)) counts.set(token, (counts.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of tokens(found)) {
    const left = counts.get(token) ?? 0
    if (left > 0) shared += 1
    counts.set(token, left - 1)
  }
  return (2 * shared) / Math.max(1, tokens(found).length + tokens(wanted).length)
}

const isSame = (a: string | null, b: string | null): boolean =>
  (a ?? '').toLowerCase().replaceAll(/\s+/g, ' ') ===
  (b ?? '').toLowerCase().replaceAll(/\s+/g, ' ')

export interface ArticleScore {
  pages: number
  /** Means and shares, 0..1; author and date over the pages that have one, NaN where none has. */
  f1: number
  title: number
  author: number
  date: number
  /** Pages without an author or a date where one was named all the same. */
  invented: number
  medianMs: number
  misses: string[]
}

interface Answer {
  title: string | null
  author: string | null
  published_at: string | null
  text: string
}

export function scoreArticles(pages: readonly ArticlePage[]): ArticleScore {
  const f1s: number[] = []
  const times: number[] = []
  const misses: string[] = []
  const hits = { title: 0, author: 0, authors: 0, date: 0, dates: 0, invented: 0 }
  for (const page of pages) {
    const { html, text } = unmarked(page)
    const startedAt = performance.now()
    const outcome = runExtract({
      source: 'html',
      content: html,
      contentType: null,
      url: page.url ?? null,
    })
    times.push(performance.now() - startedAt)
    if (!outcome.ok) throw new Error(outcome.message)
    const answer = outcome.data as Answer
    const f1 = tokenF1(answer.text ?? '', text)
    f1s.push(f1)
    const says: string[] = []
    if (f1 < 0.93) says.push(`F1 ${f1.toFixed(3)}`)
    if (isSame(answer.title, page.title)) hits.title += 1
    else says.push(`title ${JSON.stringify(answer.title)}`)
    const author = isSame(answer.author, page.author)
    if (!author) says.push(`author ${JSON.stringify(answer.author)} for ${page.author}`)
    const date = (answer.published_at?.slice(0, 10) ?? null) === page.date
    if (!date) says.push(`date ${answer.published_at} for ${page.date}`)
    if (page.author !== null) {
      hits.authors += 1
      if (author) hits.author += 1
    } else if (!author) hits.invented += 1
    if (page.date !== null) {
      hits.dates += 1
      if (date) hits.date += 1
    } else if (!date) hits.invented += 1
    if (says.length > 0) misses.push(`${page.name}: ${says.join('; ')}`)
  }
  return {
    pages: pages.length,
    f1: f1s.reduce((sum, one) => sum + one, 0) / f1s.length,
    title: hits.title / pages.length,
    author: hits.author / hits.authors,
    date: hits.date / hits.dates,
    invented: hits.invented,
    medianMs: times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!,
    misses,
  }
}
