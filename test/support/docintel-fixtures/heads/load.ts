/**
 * Invoices with invented parties as rows of text, after the layouts of common billing programs. A line
 * `# name | seller | buyer | number | due day` opens each; `-` stands for what is not printed.
 */
import { readFileSync } from 'node:fs'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { similar } from '../score.ts'

/** Halves a and c are looked at while rules are mended; of b and d only shares. */
export type Half = 'a' | 'b' | 'c' | 'd'

export interface Head {
  name: string
  text: string
  truth: { seller: string | null; buyer: string | null; id: string | null; due: string | null }
}

export interface HeadVerdict {
  given: string | null
  wanted: string | null
  isRight: boolean
  confidence: number
}

/** The invoices of one half. */
export function loadHeads(half: Half): Head[] {
  const source = readFileSync(new URL(`heads-${half}.txt`, import.meta.url), 'utf8')
  return source
    .split(/^(?=# [^|\n]+\|)/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const [name = '', ...values] = title.slice(2).split(' | ')
      const [seller, buyer, id, due] = values.map((value) => (value === '-' ? null : value))
      const truth = {
        seller: seller ?? null,
        buyer: buyer ?? null,
        id: id ?? null,
        due: due ?? null,
      }
      return { name, text: lines.join('\n'), truth }
    })
}

const squash = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

/** What is read of the fields, beside what is true; names may differ in a tenth of their letters. */
export function judgeHead({ text, truth }: Head): Record<string, HeadVerdict> {
  const result = understand(documentFromText(text), {
    preferred: 'invoice',
    now: new Date(Date.UTC(2025, 5, 1)),
  })
  const { fields } = result.confidence
  const isName = (given: string, wanted: string): boolean => similar(given, wanted) >= 0.9
  const isId = (given: string, wanted: string): boolean => squash(given) === squash(wanted)
  const isDay = (given: string, wanted: string): boolean => given === wanted
  const put = (
    given: string | null,
    wanted: string | null,
    isSame: (given: string, wanted: string) => boolean,
    confidence = 0,
  ): HeadVerdict => ({
    given,
    wanted,
    isRight: given === null || wanted === null ? given === wanted : isSame(given, wanted),
    confidence,
  })
  return {
    seller: put(result.merchant.name, truth.seller, isName, fields['merchant.name']),
    buyer: put(result.buyer?.name ?? null, truth.buyer, isName, fields['buyer']),
    id: put(result.document_id, truth.id, isId, fields['document_id']),
    due: put(result.due_date ?? null, truth.due, isDay, fields['due_date']),
  }
}
