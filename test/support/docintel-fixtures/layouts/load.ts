/**
 * Invoices as rows of text with their columns, imitating billing software and trades of many
 * countries; each was written with its truth before the rules were mended on it. `looked-at.txt` is
 * the half whose faults were looked at, `measured.txt` the half that was only measured.
 */
import { readFileSync } from 'node:fs'

export interface LayoutFixture {
  name: string
  text: string
  /** Sums that are not printed, or not under one reading, are null. */
  truth: {
    total: number
    net: number | null
    vat: number | null
    goods: { description: string; amount: number }[]
  }
}

/** "Widget = 12.50": a description and its amount. */
function good(text: string): LayoutFixture['truth']['goods'][number] {
  const at = text.lastIndexOf(' = ')
  return { description: text.slice(0, at), amount: Number(text.slice(at + 3)) }
}

/** The invoices of one half, in their order. */
export function loadLayouts(half: 'looked-at' | 'measured'): LayoutFixture[] {
  const file = readFileSync(new URL(`${half}.txt`, import.meta.url), 'utf8')
  return file
    .split(/^## /m)
    .slice(1)
    .map((block) => {
      const [head = '', text = ''] = block.split(/^--\n/m)
      const [name = '', ...lines] = head.trim().split('\n')
      const values = new Map(
        lines.map((line) => {
          const at = line.indexOf(':')
          return [line.slice(0, at), line.slice(at + 1).trim()]
        }),
      )
      const sum = (key: string): number | null => {
        const value = values.get(key) ?? ''
        return value === '' ? null : Number(value)
      }
      const total = sum('total')
      const goods = values.get('goods')
      if (total === null || goods === undefined)
        throw new Error(`${half} ${name}: truth is missing`)
      return {
        name,
        text,
        truth: { total, net: sum('net'), vat: sum('vat'), goods: goods.split('; ').map(good) },
      }
    })
}
