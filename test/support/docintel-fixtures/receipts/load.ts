/**
 * Receipts and papers that are no sale, kept as text files: "## name", "key: value" lines of truth,
 * "--", then the document with its cells parted by ' | '. A block without truth is no sale.
 */
import { readFileSync } from 'node:fs'
import type { Fixture, SoldGood, Truth } from '../types.ts'

const NUMBERS = new Set(['total', 'subtotal', 'tax', 'items'])

/** "2 Es Teh = 16000": quantity (left out when none is printed), description, amount. */
function soldGood(text: string): SoldGood {
  const [, quantity, description, amount] = /^(?:(\d+) )?(.+) = (-?[\d.]+)$/.exec(text) ?? []
  if (!description || !amount) throw new Error(`not "quantity description = amount": ${text}`)
  return { quantity: quantity ? Number(quantity) : null, description, amount: Number(amount) }
}

function truthOf(lines: readonly string[], where: string): Truth {
  const truth: Record<string, Truth[keyof Truth]> = {}
  for (const line of lines) {
    const [, key, value] = /^(\w+): (.+)$/.exec(line) ?? []
    if (!key || !value) throw new Error(`${where}: not "key: value": ${line}`)
    if (key === 'skill') continue
    if (key === 'goods') truth.goods = value.split('; ').map(soldGood)
    else truth[key] = NUMBERS.has(key) ? Number(value.replaceAll(',', '')) : value
  }
  return truth
}

/** The fixtures of a file beside this one, in its order. */
export function loadReceipts(file: string): Fixture[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((block) => {
      const [name, ...lines] = block.trimEnd().split('\n')
      const bar = lines.indexOf('--')
      return {
        name: name!,
        skill: lines.includes('skill: invoice') ? 'invoice' : 'receipt',
        lines: lines.slice(bar + 1),
        truth: bar <= 0 ? { total: null } : truthOf(lines.slice(0, bar), `${file} ${name}`),
      }
    })
}
