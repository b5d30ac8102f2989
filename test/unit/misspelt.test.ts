import { expect, test } from 'vitest'
import { isMisspelt } from '../../kernel/config/misspelt.ts'

test.each([
  ['requires', 'requries'],
  ['reservedPaths', 'reserved_path'],
  ['TRUSTED_PROXIES', 'trusted-proxy'],
  ['description', 'desciptoin'],
  ['price', 'prize'],
  ['base_path', 'basepath'],
  ['id', 'ID'],
])('%s is meant by %s', (known, name) => expect(isMisspelt(known, name)).toBe(true))

test.each([
  ['id', 'ip'],
  ['max', 'map'],
  ['title', 'tools'],
  ['price', 'pierced'],
  ['description', 'subscribers'],
])('%s is not meant by %s', (known, name) => expect(isMisspelt(known, name)).toBe(false))
