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

/** Of makers in the order of the alphabet every third is open, from the second on. */
export const everyThirdOpen =
  <Maker extends string>(makers: readonly Maker[]) =>
  (maker: Maker): Part =>
    makers.indexOf(maker) % 3 === 1 ? 'open' : 'sealed'

/** SHA-256 of all documents with their truth. */
export const digestOf = (documents: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify(documents)).digest('hex')
