/** Route look-up from 10 to 10,000 products, beside a bare Map of as many paths, in one run. */
import type { Plugin, PluginEnv } from '../../kernel/plugins/contract.ts'
import type { Skill } from '../../kernel/plugins/skill.ts'
import { MountedProduct } from '../../kernel/products/mounted-product.ts'
import { mountSkills } from '../../kernel/products/mount.ts'
import { parseProducts } from '../../host/product-files/parse.ts'
import { Snapshot } from '../../kernel/products/snapshot.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const LOOKUPS = 500_000
const ROUNDS = 7

function product(index: number): MountedProduct {
  const id = `p${index}`
  const [parsed] = parseProducts(
    JSON.stringify({
      product_id: id,
      plugin: 'bench',
      skills: [
        { skill: `${id}.run`, route: 'POST /run', price: { credits: 1 } },
        { skill: `${id}.item`, route: 'GET /items/{id}', price: { credits: 1 } },
      ],
    }),
    { file: null, env: {} },
  )
  if (!parsed?.ok) throw new Error('the spec of the bench is broken')
  const skills = ['run', 'item'].map(
    (name) => ({ id: `${id}.${name}`, tools: [] }) as unknown as Skill,
  )
  const started = { plugin: { id: 'bench' } as Plugin, instance: { skills }, env: {} as PluginEnv }
  const { spec, document, hash } = parsed
  const mounting = {
    spec,
    started,
    isBuiltin: true,
    railAvailable: () => ({ ok: true }) as const,
    mountedRails: ['credits'],
  }
  return new MountedProduct({
    spec,
    document,
    hash,
    revision: 1,
    source: 'api',
    started,
    skills: mountSkills(
      mounting,
      () => {},
      () => {},
    ),
    routes: [],
  })
}

function nanosecondsPer(work: (index: number) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = Bun.nanoseconds()
    for (let i = 0; i < LOOKUPS; i++) work(i)
    return (Bun.nanoseconds() - began) / LOOKUPS
  })
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]!
}

const rows: string[][] = []
let base: number[] | null = null
for (const count of [10, 100, 1000, 10_000]) {
  const products = new Map(Array.from({ length: count }, (_, i) => [`p${i}`, product(i)] as const))
  const began = performance.now()
  const snapshot = new Snapshot('1', 1, products, ['credits'])
  const buildMs = performance.now() - began
  const paths = (make: (i: number) => string): string[] =>
    Array.from({ length: 1024 }, (_, i) => make((i * 7919) % count))
  const fixed = paths((i) => `/v1/p${i}/run`)
  const hot = paths((i) => `/v1/p${i % 10}/run`)
  const item = paths((i) => `/v1/p${i}/items/42`)
  const miss = paths((i) => `/v1/q${i}/run`)
  const plain = new Map(Array.from({ length: count }, (_, i) => [`/v1/p${i}/run`, i]))
  const look = (method: string, list: readonly string[]) => (i: number) => {
    const found = snapshot.match(method, list[i & 1023]!)
    if (found.kind === 'skill') found.leave()
  }
  const figures = [
    nanosecondsPer((i) => plain.get(fixed[i & 1023]!)),
    nanosecondsPer(look('POST', hot)),
    nanosecondsPer(look('POST', fixed)),
    nanosecondsPer(look('GET', item)),
    nanosecondsPer(look('POST', miss)),
  ]
  base ??= figures
  rows.push([
    String(count),
    ...figures.map((ns, i) => `${formatNumber(ns)} (${formatNumber(ns / base![i]!)}x)`),
    formatNumber(buildMs),
  ])
}
console.log(
  formatTable(
    [
      'products',
      'bare Map ns',
      '10 hot products ns',
      'all products ns',
      'parameter ns',
      'unknown ns',
      'snapshot ms',
    ],
    rows,
  ),
)
