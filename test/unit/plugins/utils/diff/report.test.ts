/** What the report says of all changes together: none is lost, and the caller's rules hold. */
import { describe, expect, test } from 'vitest'
import { compareDocuments, type DiffOrder } from '../../../../../plugins/utils/diff/compare.ts'
import { api, body, object } from './cases/support.ts'

const diff = (order: Omit<DiffOrder, 'now'>) => {
  const outcome = compareDocuments({ ...order, now: Date.UTC(2026, 0, 1) })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome
}
const properties = (count: number, type: string, last = type) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, { type: at === count - 1 ? last : type }]),
  )

describe('many changes', () => {
  test('are all counted, and those that are not listed are said to be there', () => {
    const report = diff({
      before: object(properties(6000, 'string')),
      after: object(properties(6000, 'integer')),
    })
    expect(report).toMatchObject({ breaking: true, summary: { breaking: 6000 }, truncated: true })
    expect(report.changes).toHaveLength(5000)
  })

  test('of information alone hide no breaking one behind them', () => {
    const report = diff({
      before: object(properties(30_000, 'integer', 'number')),
      after: object(properties(30_000, 'number', 'integer')),
    })
    expect(report).toMatchObject({ breaking: true, summary: { breaking: 1 }, truncated: true })
    expect(report.changes[0]).toMatchObject({ level: 'breaking', location: '/properties/p29999' })
  })

  test('within the list are not called truncated', () => {
    const report = diff({
      before: object(properties(2500, 'string')),
      after: object(properties(2500, 'integer')),
    })
    expect(report.changes).toHaveLength(2500)
    expect(report.truncated).toBeUndefined()
  })
})

describe('references to other documents', () => {
  const split = api(body({ $ref: 'common.yaml#/Item' }))
  const item = (schema: unknown) => ({ Item: schema })

  test('that are not given are a warning, on each side', () => {
    const report = diff({ before: split, after: structuredClone(split) })
    expect(report).toMatchObject({ breaking: false, changes: [] })
    expect(report.warnings?.map(({ code, path }) => [code, path])).toEqual([
      ['unresolved_reference', expect.stringMatching(/^\/before\/paths\//)],
      ['unresolved_reference', expect.stringMatching(/^\/after\/paths\//)],
    ])
  })

  test('that lead nowhere inside are one too', () => {
    const broken = api(body({ $ref: '#/components/schemas/Missing' }))
    const report = diff({ before: broken, after: structuredClone(broken) })
    expect(report.warnings?.[0]?.message).toContain('#/components/schemas/Missing')
  })

  test('that are given are followed, and named in the location', () => {
    const report = diff({
      before: split,
      after: structuredClone(split),
      before_documents: { 'common.yaml': item(object({ a: { type: 'number' } })) },
      after_documents: {
        'common.yaml': 'Item: {$ref: "deep/more.yaml#/Thing"}',
        'deep/more.yaml': { Thing: object({ a: { $ref: '../leaf.yaml#/Leaf' } }) },
        'leaf.yaml': { Leaf: { $ref: '#/Own' }, Own: { type: 'integer' } },
      },
    })
    expect(report.warnings).toBeUndefined()
    expect(report.changes).toMatchObject([
      { id: 'request-property-type-changed', level: 'breaking', location: 'leaf.yaml#/Own' },
    ])
  })

  test('that are no document are refused by name', () => {
    const outcome = compareDocuments({
      before: split,
      after: split,
      documents: { 'common.yaml': 'a: [' },
      now: 0,
    })
    expect(outcome).toMatchObject({ ok: false, problems: [{ path: '/documents/common.yaml' }] })
  })
})

describe("the caller's rules", () => {
  const before = api(body(object({ a: { type: 'number' }, b: { type: 'string' } })))
  const after = api(body(object({ a: { type: 'integer' } })))
  const ids = (order: Partial<DiffOrder>) =>
    diff({ before, after, ...order }).changes.map(({ id, level }) => `${level} ${id}`)

  test('without any', () => {
    expect(ids({})).toEqual([
      'breaking request-property-type-changed',
      'warning request-property-removed',
    ])
  })

  test('severity sets levels, none leaves a check out', () => {
    const severity = {
      'request-property-type-changed': 'info',
      'request-property-removed': 'none',
    } as const
    expect(ids({ severity })).toEqual(['info request-property-type-changed'])
    expect(diff({ before, after, severity })).toMatchObject({ breaking: false, ignored: true })
  })

  test('ignore takes ids, places and operations, with * for any text', () => {
    expect(ids({ ignore: ['*-type-changed'] })).toEqual(['warning request-property-removed'])
    expect(ids({ ignore: [{ operation: 'POST /items*', id: '*removed' }] })).toHaveLength(1)
    expect(ids({ ignore: [{ location: '/paths/*' }] })).toEqual([])
    expect(ids({ ignore: [{ operation: 'GET *' }] })).toHaveLength(2)
  })

  test('fail_on error leaves warnings out of the verdict', () => {
    const rules = { severity: { 'request-property-type-changed': 'warning' } } as const
    expect(diff({ before, after, ...rules }).breaking).toBe(true)
    expect(diff({ before, after, ...rules, fail_on: 'error' }).breaking).toBe(false)
  })

  test('a changelog names every change once', () => {
    const { changelog } = diff({ before, after, changelog: 'markdown' })
    expect(changelog).toContain('## Breaking')
    expect(changelog).toContain('### POST /items/{id}')
    expect(changelog!.match(/^- /gm)).toHaveLength(2)
    expect(diff({ before, after, changelog: 'text' }).changelog).toMatch(/^1 breaking, 1 warning/)
    expect(diff({ before, after: before, changelog: 'text' }).changelog).toContain(
      'Nothing changed',
    )
  })
})
