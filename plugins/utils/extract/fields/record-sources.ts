/** Where a page or a text may hold the records of a wanted list. */
import { textOf } from '../dom/tree.ts'
import { factsOfBlock } from './block-facts.ts'
import { factsOfObject, type Fact } from './facts.ts'
import { matchKeys, phraseOf } from './keys.ts'
import { blockPairs, unwrapped } from './lists.ts'
import type { Material } from './fact-sources.ts'
import { recordsOf } from './tables.ts'

const GROUPS_TRIED = 60

interface RecordSource {
  path: string
  /** Facts of the first few records, for a cheap look. */
  sample: (readonly Fact[])[]
  all: () => (readonly Fact[])[]
  /** How much its name speaks for it. */
  bonus: number
  /** Blocks of the layout, which answer a field by chance. */
  isGuess: boolean
}

const known = (path: string, items: (readonly Fact[])[], bonus: number): RecordSource => ({
  path,
  sample: items.slice(0, 3),
  all: () => items,
  bonus,
  isGuess: false,
})

function isNamed(key: string, names: readonly string[], least: number): boolean {
  const single = key.replace(/s$/, '')
  return names
    .map(phraseOf)
    .some((name) => matchKeys(key, name) > least || matchKeys(single, name) > least)
}

/** Sources for a list of that key: described things, tables, alike blocks, records of a text. */
export function* recordSources(material: Material, key: string): Generator<RecordSource> {
  for (const { path, items, types } of material.collections()) {
    const facts = items.map((one) => factsOfObject(unwrapped(one), path, 90))
    yield known(path, facts, isNamed(key, types, 0) ? 0.6 : 0.15)
  }
  for (const [index, table] of material.tables().entries()) {
    const records = recordsOf(table)
    if (!records) continue
    const path = `table[${index}]`
    const rows = records.rows.map((row) =>
      row.map((value, column): Fact => ({
        key: phraseOf(records.headers[column] ?? ''),
        value,
        path,
        rank: 60,
      })),
    )
    yield known(
      path,
      rows,
      table.caption !== null && isNamed(key, [table.caption], 0.4) ? 0.6 : 0.2,
    )
  }
  for (const group of material.groups().slice(0, GROUPS_TRIED)) {
    const path = `blocks:${group.name}`
    yield {
      path,
      sample: group.elements
        .slice(0, 3)
        .map((element) => factsOfBlock(element, material.resolve, path)),
      all: () =>
        group.elements.map((element) => [
          ...factsOfBlock(element, material.resolve, path),
          ...blockPairs(textOf(element), path),
        ]),
      bonus: 0,
      isGuess: true,
    }
  }
  for (const { path, items } of material.records()) yield known(path, items, 0.1)
}
