/**
 * Runs in a gateway before its own code: a resolver whose answers change. `after2-v4.x.rebind.example`
 * is a friendly address for the first two look-ups and loopback afterwards; `both-v6.…` is the
 * friendly one and loopback at once; `never.…` stays friendly.
 */
import { mock } from 'bun:test'
import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'

const FRIENDLY = { address: '127.0.0.2', family: 4 }
const FORBIDDEN: Readonly<Record<string, LookupAddress>> = {
  v4: { address: '127.0.0.1', family: 4 },
  v6: { address: '::1', family: 6 },
  mapped: { address: '::ffff:127.0.0.1', family: 6 },
}
const asked = new Map<string, number>()

function answerTo(host: string): LookupAddress[] {
  const [, when, kind = ''] = /^(after\d|both|never)(?:-(\w+))?\./.exec(host) ?? []
  if (when === undefined) throw new Error(`no such name: ${host}`)
  const times = (asked.get(host) ?? 0) + 1
  asked.set(host, times)
  if (when === 'never') return [FRIENDLY]
  const forbidden = FORBIDDEN[kind]!
  if (when === 'both') return [FRIENDLY, forbidden]
  return [times <= Number(when.at(-1)) ? FRIENDLY : forbidden]
}

mock.module('node:dns/promises', () => ({
  ...dns.promises,
  lookup: async (host: string, options: LookupOptions) =>
    host.endsWith('.rebind.example') ? answerTo(host) : lookup(host, options),
}))
