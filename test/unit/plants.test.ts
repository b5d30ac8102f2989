/** The bugs that `npm run planted` plants: a change that moves the place of one is told here at once. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { KINDS, PLANTS, planted } from '../simulator/plants.ts'

const root = resolve(import.meta.dirname, '../..')

it('each kind of bug has one', () => {
  for (const kind of KINDS) expect(PLANTS.map(({ name }) => name).join()).toContain(kind)
})

it.each(PLANTS.flatMap(({ name, patch }) => (patch ? [{ name, patch }] : [])))(
  'its place in the sources is there once: $name',
  ({ patch }) => {
    expect(planted(patch, readFileSync(join(root, patch.file), 'utf8'))).toContain(patch.to)
  },
)
