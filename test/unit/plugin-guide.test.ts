/** The plugin guide's snippets stand in the files that they name. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'specs/plugin-guide.md'), 'utf8')
const snippets = [...guide.matchAll(/<!-- (\S+) -->\n```\w+\n([^]*?)```/g)]

/** Without indentation, which depends on the place. */
const flat = (text: string): string => text.replaceAll(/^\s+/gm, '')

it.each(snippets.map(([, file, code]) => ({ file: file!, code: code! })))(
  'a snippet of $file',
  ({ file, code }) => {
    expect(flat(readFileSync(join(root, file), 'utf8'))).toContain(flat(code))
  },
)

it('has snippets of the sample rail', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(4)
})
