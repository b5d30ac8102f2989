/** The journal that drizzle-kit keeps beside the SQL files; drizzle itself drops the tags. */
import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const journalShape = Compile(
  Type.Object({ entries: Type.Array(Type.Object({ tag: Type.String(), when: Type.Integer() })) }),
)

/** Migration names in the order they are applied. */
export function migrationTags(folder: string): string[] {
  const parsed: unknown = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'))
  return journalShape.Parse(parsed).entries.map((entry) => entry.tag)
}
