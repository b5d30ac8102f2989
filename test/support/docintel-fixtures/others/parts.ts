/** Sets of others' layouts that are split by maker into a part for those who write rules and a sealed one. */
import { createHash } from 'node:crypto'
import type { SaleTruth } from './sale.ts'

export type Part = 'open' | 'sealed'

export interface MadeDocument<Maker extends string> {
  name: string
  maker: Maker
  language: string
  truth: SaleTruth
  /** Fields of the truth that this layout does not print. */
  absent: readonly string[]
}

/** A paper of one of several kinds, such as those that ask for no money. */
export interface PaperOfKind<
  Maker extends string,
  Kind extends string,
  Drawn,
> extends MadeDocument<Maker> {
  /** What it asks money for, or "none": no paper to be booked. */
  kind: Kind
  currency: string
  drawn: Drawn
}

/** Puts a paper at the end of `papers`, named by its maker, language and place. */
export const paperAdder =
  <Maker extends string, Kind extends string, Drawn>(papers: PaperOfKind<Maker, Kind, Drawn>[]) =>
  (
    maker: Maker,
    language: string,
    at: number,
    kind: Kind,
    currency: string,
    truth: SaleTruth,
    absent: readonly string[],
    drawn: Drawn,
  ): void => {
    const name = `${maker} ${language} ${at}`
    papers.push({ name, maker, language, kind, currency, truth, absent, drawn })
  }

/** Of makers in the order of the alphabet every third is open, from the second on. */
export const everyThirdOpen =
  <Maker extends string>(makers: readonly Maker[]) =>
  (maker: Maker): Part =>
    makers.indexOf(maker) % 3 === 1 ? 'open' : 'sealed'

/** SHA-256 of all documents with their truth. */
export const digestOf = (documents: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify(documents)).digest('hex')
