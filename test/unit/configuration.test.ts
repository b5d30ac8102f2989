/** specs/configuration.md has every environment variable of the gateway and of the shipped plugins, and no other. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { VARIABLES } from '../../kernel/config/variables.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'

const text = readFileSync(resolve(import.meta.dirname, '../../specs/configuration.md'), 'utf8')

it('names each variable in exactly one row', () => {
  const rows = [...text.matchAll(/^\| (`[A-Z][^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  const known = [
    ...Object.values(VARIABLES),
    ...SHIPPED_PLUGINS.flatMap(({ variables = [] }) => variables),
  ].map(({ name }) => name)
  expect(rows.toSorted()).toEqual([...new Set(known)].toSorted())
})
