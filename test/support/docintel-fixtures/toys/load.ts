/**
 * Short documents as readers of a manual, writers of demos and authors of tests type them: "=== name",
 * "key: value" lines of truth, "--", then the text as it is. A block without truth is no sale.
 */
import { readFileSync } from 'node:fs'
import type { ParseResult } from '../../../../plugins/docintel/schema.ts'
import { similar } from '../score.ts'

export interface Toy {
  name: string
  text: string
  truth: ReadonlyMap<string, string>
}
export interface Fault {
  field: string
  found: unknown
  wanted: string
}

/** The documents of a file beside this one, in its order. */
export function loadToys(file: string): Toy[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [, name, head, text] = /^(.+)\n((?:\w+: .+\n)*)--\n([^]*)$/.exec(block) ?? []
      if (!name || head === undefined || !text) throw new Error(`not a block of ${file}: ${block}`)
      const facts = head.trim().split('\n').filter(Boolean)
      return {
        name,
        text,
        truth: new Map(
          facts.map((f): [string, string] => {
            const end = f.indexOf(': ')
            return [f.slice(0, end), f.slice(end + 2)]
          }),
        ),
      }
    })
}

const VALUES: Readonly<Record<string, (result: ParseResult) => unknown>> = {
  type: (r) => r.doc_type,
  kind: (r) => r.document_kind,
  merchant: (r) => r.merchant.name,
  buyer: (r) => r.buyer?.name,
  id: (r) => r.document_id,
  date: (r) => r.issued_at,
  due: (r) => r.due_date,
  cur: (r) => r.currency,
  sub: (r) => r.subtotal,
  tax: (r) => r.tax.vat_amount,
  rate: (r) => r.tax.vat_rate,
  tip: (r) => r.tip,
  disc: (r) => r.discount,
  total: (r) => r.total,
  paid: (r) => r.amount_paid,
  bal: (r) => r.balance_due,
  tendered: (r) => r.tendered,
  change: (r) => r.change,
}

const isNumber = (found: unknown, wanted: string): boolean =>
  typeof found === 'number' && Math.abs(found - Number(wanted)) < 0.006

/** Whether rows are "description;quantity;unit price;amount || …"; a number left out is not asked for. */
function areGoods({ line_items: found }: ParseResult, wanted: string): boolean {
  const rows = wanted.split(' || ').map((row) => row.split(';'))
  return (
    rows.length === found.length &&
    rows.every(([description = '', quantity, price, amount = ''], i) => {
      const row = found[i]!
      return (
        similar(row.description, description) >= 0.8 &&
        (!quantity || isNumber(row.quantity, quantity)) &&
        (!price || isNumber(row.unit_price, price)) &&
        isNumber(row.amount, amount)
      )
    })
  )
}

/** What is not as the truth says, of every field that it names. */
export function faultsOf(result: ParseResult, { truth }: Toy): Fault[] {
  if (truth.size === 0) {
    const isEmpty = result.doc_type === 'unknown' && result.total === null
    return isEmpty ? [] : [{ field: 'none', found: result.doc_type, wanted: 'unknown' }]
  }
  const faults: Fault[] = []
  for (const [field, wanted] of truth) {
    if (field === 'goods') {
      if (!areGoods(result, wanted)) faults.push({ field, found: result.line_items, wanted })
      continue
    }
    const found = VALUES[field]!(result)
    const isRight =
      field === 'type'
        ? wanted.split('|').includes(String(found))
        : typeof found === 'number'
          ? isNumber(found, wanted)
          : ['merchant', 'buyer'].includes(field)
            ? similar(String(found), wanted) >= 0.85
            : found === wanted
    if (!isRight) faults.push({ field, found, wanted })
  }
  return faults
}

/** Per field, the faults and how often it was asked for. */
export function shareOfFields(
  toys: readonly Toy[],
  parse: (toy: Toy) => ParseResult,
): Record<string, number> {
  const asked: Record<string, number> = {}
  const wrong: Record<string, number> = {}
  for (const toy of toys) {
    for (const field of toy.truth.size ? toy.truth.keys() : ['none'])
      asked[field] = (asked[field] ?? 0) + 1
    for (const { field } of faultsOf(parse(toy), toy)) wrong[field] = (wrong[field] ?? 0) + 1
  }
  return Object.fromEntries(
    Object.entries(asked).map(([field, all]) => [field, 1 - (wrong[field] ?? 0) / all]),
  )
}
