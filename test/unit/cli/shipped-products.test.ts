import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writeProducts } from '../../../cli/shipped-products.ts'

const mine = mkdtempSync(join(tmpdir(), 'coinop-products-'))
afterAll(() => rmSync(mine, { recursive: true, force: true }))

it('copies product files whose schema an editor finds from where they are', () => {
  const folder = resolve(import.meta.dirname, '../../../products')
  const target = join(mine, 'products')
  expect(writeProducts({ folder, starter: ['demo', 'mcp'] }, target, false)).toEqual([
    'demo',
    'mcp',
  ])
  const copied = readFileSync(join(target, 'demo.yaml'), 'utf8')
  const schema = /\$schema=(\S+)/.exec(copied)![1]!
  expect(existsSync(resolve(target, schema))).toBe(true)
  expect(copied.split('\n').slice(1)).toEqual(
    readFileSync(join(folder, 'demo.yaml'), 'utf8').split('\n').slice(1),
  )
})
