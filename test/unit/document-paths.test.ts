/** Files of this repository that its documents name are there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const FOLDERS = ['bin', 'cli', 'deploy', 'host', 'kernel', 'packaging', 'plugins', 'products', 'specs', 'test', 'testkit'] // prettier-ignore
const files = [
  ...readdirSync(root),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
]
/** In backticks, with a folder; a name that begins with `./` is an example of somebody's own. */
const NAMED = /`([\w@-]+(?:\/[\w.@-]+)+\.(?:ts|mjs|sql|sh|yaml))`/g

it.each(files.filter((file) => file.endsWith('.md')))('%s names files that are there', (file) => {
  const named = [...readFileSync(join(root, file), 'utf8').matchAll(NAMED)].map(([, path]) => path!)
  expect(named.filter((path) => !files.some((one) => `/${one}`.endsWith(`/${path}`)))).toEqual([])
})
