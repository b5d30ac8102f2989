/**
 * Receipts and papers that are no sale, kept as text files: "## name", "key: value" lines of truth,
 * "--", then the document with its cells parted by ' | '. A block without "--" is no sale.
 */
import { readFileSync } from 'node:fs'
import type { Fixture, Truth } from '../types.ts'

const NUMBERS = new Set(['total', 'subtotal', 'tax', 'items'])

function truthOf(lines: readonly string[], where: string): Truth {
  const truth: Record<string, string | number> = {}
  for (const line of lines) {
    const [, key, value] = /^(\w+): (.+)$/.exec(line) ?? []
    if (!key || !value) throw new Error(`${where}: not "key: value": ${line}`)
    truth[key] = NUMBERS.has(key) ? Number(value.replaceAll(',', '')) : value
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
        skill: 'receipt',
        lines: lines.slice(bar + 1),
        truth: bar === -1 ? { total: null } : truthOf(lines.slice(0, bar), `${file} ${name}`),
      }
    })
}
