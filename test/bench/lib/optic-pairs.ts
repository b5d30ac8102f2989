/**
 * Pairs of OpenAPI documents and of schemas from the tests of the npm package
 * @useoptic/standard-rulesets (MIT; 1.0.9 carries them under src/breaking-changes). The test files
 * are run against stand-ins that write down what is compared and what is expected; the snapshots
 * beside them say where Optic sees each break.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DocumentPair {
  name: string
  before: unknown
  after: unknown
  breaking: boolean
  /** Pointers at which Optic reports a break. */
  places: string[]
  /** The test configures Optic, so its verdict is not that of the two documents alone. */
  configured: boolean
}
export interface SchemaPair {
  name: string
  before: unknown
  after: unknown
  /** Whether requests and responses break. */
  request: boolean
  response: boolean
}

/** What the stand-ins return for `expect` to recognise. */
type Marker =
  | { kind: 'failed' | 'passed' | 'length'; before: unknown; after: unknown; configured: boolean }
  | { kind: 'union'; before: unknown; after: unknown }

class Recorder {
  readonly documents: DocumentPair[] = []
  readonly schemas: SchemaPair[] = []
  readonly #titles: string[] = []
  readonly #tests: { title: string; body: () => unknown }[] = []
  readonly #places: Map<string, string[]>

  constructor(places: Map<string, string[]>) {
    this.#places = places
  }

  async run(source: string): Promise<void> {
    const code = new Bun.Transpiler({ loader: 'ts' })
      .transformSync(source.replaceAll(/^import [\s\S]*?;$/gm, ''))
      .replaceAll(/^import .*$/gm, '')
    const stand = this.#stand()
    await new Function(...Object.keys(stand), code)(...Object.values(stand))
    for (const { title, body } of this.#tests) {
      this.#current = this.#expect(title)
      await body()
    }
  }

  #stand(): Record<string, unknown> {
    const BreakingChangesRuleset = Object.assign(function BreakingChangesRuleset() {}, {
      fromOpticConfig: async () => ({ configured: true }),
    })
    const each =
      (rows: unknown[], run: (name: string, body: () => unknown) => void) =>
      (name: string, body: (...row: unknown[]) => unknown) => {
        for (const row of rows) {
          const cells = Array.isArray(row) ? row : [row]
          const title = name.replace('%p', JSON.stringify(cells[0])).replace('%s', String(cells[0]))
          run(title, () => body(...cells))
        }
      }
    const describe = (name: string, body: () => unknown) => {
      this.#titles.push(name)
      body()
      this.#titles.pop()
    }
    const test = (name: string, body: () => unknown) => {
      this.#tests.push({ title: [...this.#titles, name].join(' '), body })
    }
    describe.each = (rows: unknown[]) => each(rows, describe)
    test.each = (rows: unknown[]) => each(rows, test)
    return {
      describe,
      test,
      expect: Object.assign((value: unknown) => this.#current!(value), { any: () => undefined }),
      TestHelpers: {
        createEmptySpec: () => ({
          openapi: '3.0.1',
          info: { version: '0.0.0', title: 'Empty' },
          paths: {},
        }),
        runRulesWithInputs: (rules: { configured?: true }[], before: unknown, after: unknown) =>
          results(
            before,
            after,
            rules.some(({ configured }) => configured),
          ),
      },
      BreakingChangesRuleset,
      computeUnionTransition: (before: unknown, after: unknown): Marker => ({
        kind: 'union',
        before,
        after,
      }),
    }
  }

  /** What `expect` does in the test that runs: tests run one after the other. */
  #current: ((value: unknown) => unknown) | null = null

  #expect(title: string): (value: unknown) => unknown {
    return (value) => {
      const marker = value as Partial<Marker> | undefined
      const said = (expected: unknown): void => {
        if (marker?.kind === 'union') this.#addSchemas(title, marker as Marker, expected)
        else if (marker?.kind) this.#addDocuments(title, marker as Marker, expected)
      }
      const ignored = (): void => {}
      return { toBe: said, toEqual: said, toMatchSnapshot: ignored, toBeInstanceOf: ignored }
    }
  }

  #addSchemas(name: string, { before, after }: Marker, expected: unknown): void {
    const { request, response } = expected as { request: boolean; response: boolean }
    this.schemas.push({ name, before, after, request, response })
  }

  #addDocuments(name: string, marker: Marker, expected: unknown): void {
    if (marker.kind === 'union') return
    const { kind, before, after, configured } = marker
    const breaking =
      kind === 'failed' ? expected === true : kind === 'passed' ? !expected : expected !== 0
    if (this.documents.some((one) => one.name === name)) return
    const places = this.#places.get(`${name} 1`) ?? []
    this.documents.push({ name, before, after, breaking, places, configured })
  }
}

/** What stands for Optic's results: their `some`, `every`, `length` and each one's `passed`. */
function results(before: unknown, after: unknown, configured: boolean): unknown {
  const marker = (kind: 'failed' | 'passed' | 'length'): Marker => ({
    kind,
    before,
    after,
    configured,
  })
  return {
    some: () => marker('failed'),
    every: () => marker('passed'),
    length: configured ? marker('length') : 1,
    *[Symbol.iterator]() {
      yield { passed: marker('passed') }
    },
  }
}

/** The pointers of what did not pass, by the name of the snapshot. */
function snapshotPlaces(text: string): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const [, name, body] of text.matchAll(/^exports\[`(.*?)`\] = `\n([\s\S]*?)\n`;$/gm)) {
    const failed = body!
      .split(/^ {2}\},$/m)
      .filter((part) => /^ {4}"passed": false,$/m.test(part))
      .flatMap((part) => /"jsonPath": "(.*)",/.exec(part)?.[1] ?? [])
    places.set(name!, failed)
  }
  return places
}

/** All pairs of the package that lies unpacked at `root`. */
export async function opticPairs(
  root: string,
): Promise<{ documents: DocumentPair[]; schemas: SchemaPair[] }> {
  const documents: DocumentPair[] = []
  const schemas: SchemaPair[] = []
  for (const folder of ['__tests__', 'helpers/__tests__']) {
    const path = join(root, 'src/breaking-changes', folder)
    for (const file of readdirSync(path).filter((name) => name.endsWith('.test.ts'))) {
      if (file === 'type-change.test.ts') continue
      const beside = readdirSync(path).includes('__snapshots__')
        ? readdirSync(join(path, '__snapshots__')).filter((name) => name === `${file}.snap`)
        : []
      const places = new Map(
        beside.flatMap((name) => [
          ...snapshotPlaces(readFileSync(join(path, '__snapshots__', name), 'utf8')),
        ]),
      )
      const recorder = new Recorder(places)
      await recorder.run(readFileSync(join(path, file), 'utf8'))
      documents.push(...recorder.documents)
      schemas.push(...recorder.schemas)
    }
  }
  return { documents, schemas }
}
