/** The published package lists what its dependencies leave to others: yarn installs no peers. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { peersOf } from '../../../packaging/peers.ts'

it('has the peers that dependencies need, in the versions that are installed', () => {
  const root = resolve(import.meta.dirname, '../../..')
  const read = (path: string): { version: string; dependencies: Record<string, string> } =>
    JSON.parse(readFileSync(resolve(root, path), 'utf8'))
  const { dependencies } = read('package.json')
  const peers = peersOf(root, dependencies)
  // Elysia imports it, and a gateway that yarn had installed did not start without it.
  expect(peers['@sinclair/typebox']).toBe(
    read('node_modules/@sinclair/typebox/package.json').version,
  )
  expect(Object.keys(peers).filter((name) => Object.hasOwn(dependencies, name))).toEqual([])
})
