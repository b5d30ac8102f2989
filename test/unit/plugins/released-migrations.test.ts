/**
 * What an earlier release applied to a database never changes, not by a comment either: the text is
 * compared with what the database remembers of it, and a plugin whose text differs does not start,
 * unless it names the earlier text.
 */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Migration } from '../../../kernel/index.ts'
import consolePlugin from '../../../plugins/console/index.ts'
import plans from '../../../plugins/plans/index.ts'
import topup from '../../../plugins/topup/index.ts'
import webinfra from '../../../plugins/webinfra/index.ts'
import x402 from '../../../plugins/x402/index.ts'

/** SHA-256 of each, in their order. */
const RELEASED: Record<string, Record<string, string>> = {
  console: {
    '0001_sessions': '7c411385b20764731d1291af7b46c156f2019c74bc79f8e3de320f11d3ba889f',
  },
  plans: {
    '1-subscriptions': '0f24e68ebd5210968333a5ee98c2136f29942978af5370cee7317de3bdd7c9d5',
  },
  topup: {
    '1-topups': 'a8b275ae2eaa5e308d35adcbc120fc2d2387a504e67d53d74d28191f8c3b51cb',
    '2-purchased-keys': 'bea66d52f36c5c1ecbe0679f3ac58cee7f0ab84a57abb98cdf90b11060c4c258',
    '3-reversals': '370487a5553a4e6eba862041fa4a80d0f8e89a0c93d3dbb8909d48f1abae2e97',
  },
  webinfra: {
    '0001_records': '9a03de52ce0b21d90d2a1521f34d342504d85d3bc1334c8a8cf04e8565183e77',
    '0002_failing_since': '148c5d9d708e4426a58f4ce8f3210650a948e457795edb8109f7b011880b8cfb',
    '0003_undelivered': 'f9d7af82d1d0ccf25439c135efc300ebd759327b9b2b1f24f89f2fadf0791412',
    '0004_lease': '5e409b85cef43e841854a16bd1338e65a04ae25f44e17478a92d2e8b5dc6f297',
  },
  x402: {
    '0001': 'f62d106e1de29aec299a83441a83bb4c6d8201066b1dffa60d55380b3741ef57',
  },
}

describe('migrations of an earlier release', () => {
  it.each([consolePlugin, plans, topup, webinfra, x402])(
    'of $id are first and as they were, or named',
    ({ id, migrations = [] }) => {
      const released = Object.entries(RELEASED[id]!)
      const now = migrations.slice(0, released.length)
      expect(now.map((migration) => migration.id)).toEqual(released.map(([name]) => name))
      for (const [at, [, digest]] of released.entries())
        expect(digestsOf(now[at]!)).toContain(digest)
    },
  )
})

const digestsOf = ({ up, earlierChecksums = [] }: Migration): string[] => [
  createHash('sha256').update(up).digest('hex'),
  ...earlierChecksums,
]
