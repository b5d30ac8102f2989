/** Where a page or a text may hold the records of a wanted list. */
import { textOf } from '../dom/tree.ts'
import { isObject } from '../harvest/json-ld.ts'
import { factsOfBlock } from './block-facts.ts'
import { candidatesFor } from './candidates.ts'
import { factsOfObject, type Fact } from './facts.ts'
import { matchKeys, phraseOf } from './keys.ts'
import { blockPairs, unwrapped } from './lists.ts'
import type { FactSources } from './fact-sources.ts'
import { recordsOf } from './tables.ts'
import { LEAST_MATCH, RECORDS, TRIED, TRUST } from './weights.ts'

const { name } = RECORDS
const GROUPS_TRIED = 60

export interface RecordSource {
  path: string
  /** Facts of the first few records, for a cheap look. */
  sample: (readonly Fact[])[]
  all: () => (readonly Fact[])[]
  /** How much its name speaks for it: so many fields more in each record. */
  nameBonus: number
  /** Blocks of the layout, which answer a field by chance. */
  isGuess: boolean
}

const known = (path: string, items: (readonly Fact[])[], nameBonus: number): RecordSource => ({
  path,
  sample: items.slice(0, 3),
  all: () => items,
  nameBonus,
  isGuess: false,
})

function isNamed(key: string, names: readonly string[], least: number): boolean {
  const single = key.replace(/s$/, '')
  return names
    .map(phraseOf)
    .some((phrase) => matchKeys(key, phrase) > least || matchKeys(single, phrase) > least)
}

/**
 * Sources for a list of that key: the objects of facts that answer it; of the whole page (`sources`)
 * also described things, tables, alike blocks, records of a text.
 */
export function* recordSources(
  key: string,
  facts: readonly Fact[],
  sources: FactSources | null,
): Generator<RecordSource> {
  for (const { fact, points } of candidatesFor(key, facts).slice(0, TRIED.lists)) {
    const objects = (Array.isArray(fact.value) ? fact.value : [fact.value]).filter(isObject)
    const items = objects.map((one) =>
      factsOfObject(unwrapped(one), fact.path, TRUST.record.object),
    )
    const isSure = points.total > RECORDS.surePoints
    if (items.length > 0)
      yield known(fact.path, items, isSure ? name.surelyAsked : name.perhapsAsked)
  }
  if (sources === null) return
  for (const { path, items, types } of sources.collections()) {
    const described = items.map((one) => factsOfObject(unwrapped(one), path, TRUST.record.object))
    yield known(path, described, isNamed(key, types, 0) ? name.namedThings : name.things)
  }
  for (const [index, table] of sources.tables().entries()) {
    const records = recordsOf(table)
    if (!records) continue
    const path = `table[${index}]`
    const rows = records.rows.map((row) =>
      row.map((value, column): Fact => ({
        key: phraseOf(records.headers[column] ?? ''),
        value,
        path,
        trust: TRUST.record.tableRow,
      })),
    )
    yield known(
      path,
      rows,
      table.caption !== null && isNamed(key, [table.caption], LEAST_MATCH.caption)
        ? name.captionedTable
        : name.table,
    )
  }
  for (const group of sources.groups().slice(0, GROUPS_TRIED)) {
    const path = `blocks:${group.name}`
    yield {
      path,
      sample: group.elements
        .slice(0, 3)
        .map((element) => factsOfBlock(element, sources.resolve, path)),
      all: () =>
        group.elements.map((element) => [
          ...factsOfBlock(element, sources.resolve, path),
          ...blockPairs(textOf(element), path),
        ]),
      nameBonus: name.blocks,
      isGuess: true,
    }
  }
  for (const { path, items } of sources.records()) yield known(path, items, name.plainText)
}
