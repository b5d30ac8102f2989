/**
 * Product specs from text: YAML → references → schema → rules. All problems of a text come at
 * once, each with its line and column; one broken document refuses only itself.
 */
import { canonicalJson, compileSchema, isObject, type SpecProblem } from '#kernel'
import {
  fingerprintOf,
  isMisspelt,
  pointerTokens,
  whyClosedToProducts,
  type BrokenProduct,
  type Environment,
  type ParsedProduct,
  type ParseOptions,
  type SpecPath,
} from '#kernel/host'
import { ProductDocument } from './document.ts'
import { interpret } from './interpret.ts'
import { pointerOf, showPath, showValue } from './problem.ts'
import { resolveReferences } from './references.ts'
import { withoutUnseen } from './unseen.ts'
import { readYaml, type Place, type SourceDocument } from './yaml-source.ts'

/** Of one document. Finding their places costs the number of members for each of them. */
const MAX_PROBLEMS = 100

/** Each document of the text, parsed or refused; one BrokenProduct for a text that is not YAML. */
export function parseProducts(
  text: string,
  options: ParseOptions,
): (ParsedProduct | BrokenProduct)[] {
  const source = readYaml(text)
  if (!source.ok) {
    const problems = source.problems.map(({ place, message }) =>
      toProblem(options.file, place, [], message),
    )
    return [{ ok: false, productId: null, problems }]
  }
  return source.documents.map((document) => parseDocument(document, options))
}

function parseDocument(
  source: SourceDocument,
  { file, env, variables = [], productId }: ParseOptions,
): ParsedProduct | BrokenProduct {
  const problems: SpecProblem[] = []
  const warnings: SpecProblem[] = []
  const raw = withId(source.value, productId)
  const add = (path: SpecPath, message: string): void => {
    if (problems.length >= MAX_PROBLEMS) return
    const got = valueAt(raw, path)
    const shown = got === undefined || isContainer(got) ? undefined : showValue(got)
    problems.push(toProblem(file, source.placeOf(path), path, message, shown))
  }
  const id = idOf(raw)
  for (const { key, name } of conditionsOf(raw)) {
    // Whether it is set tells something too.
    const closed = whyClosedToProducts(name, env, variables)
    if (closed !== null) add([key], closed)
  }
  if (problems.length > 0) return { ok: false, productId: id, problems }
  const unmet = unmetCondition(raw, env)
  if (unmet !== null) {
    add([unmet.key], unmet.message)
    return { ok: false, productId: id, problems, isElsewhere: true }
  }
  const { value, withoutValues } = resolveReferences(raw, { env, variables }, add)
  for (const issue of compileSchema(ProductDocument).issues(value)) {
    if (problems.length >= MAX_PROBLEMS) break
    const path = pointerPath(issue.path, raw)
    if (issue.message.startsWith('is not a known member')) {
      const message = unknownKey(path)
      problems.push(toProblem(file, source.placeOfKey(path), path, message))
    } else if (!alreadyTold(problems, path)) add(path, plainer(issue.message, path))
  }
  if (problems.length > 0) return { ok: false, productId: id, problems }
  const problemAt = (path: SpecPath, message: string): SpecProblem =>
    toProblem(file, source.placeOf(path), path, withoutValues(message))
  const warning = (path: SpecPath, message: string): void => {
    warnings.push(problemAt(path, message))
  }
  const shown = withoutUnseen(value as ProductDocument, warning)
  const problem = (path: SpecPath, message: string) => add(path, withoutValues(message))
  const spec = interpret(shown, { problem, warning })
  if (spec === null) return { ok: false, productId: id, problems }
  return {
    ok: true,
    spec,
    document: raw,
    text: source.text,
    hash: fingerprintOf(canonicalJson(raw)),
    warnings,
    problemAt,
  }
}

function withId(value: unknown, productId: string | undefined): unknown {
  if (productId === undefined || !isObject(value)) return value
  return 'product_id' in value ? value : { product_id: productId, ...value }
}

interface Condition {
  key: 'only_with' | 'only_without'
  name: string
}

function conditionsOf(document: unknown): Condition[] {
  return (['only_with', 'only_without'] as const).flatMap((key) => {
    const name = valueAt(document, [key])
    if (typeof name !== 'string' || !/^\w+$/.test(name)) return []
    return [{ key, name }]
  })
}

/** Which of `only_with` and `only_without` keeps a document out of this environment. */
function unmetCondition(
  document: unknown,
  env: Environment,
): { key: string; message: string } | null {
  for (const { key, name } of conditionsOf(document)) {
    const isSet = env[name] !== undefined && env[name] !== ''
    if (isSet === (key === 'only_with')) continue
    const state = isSet ? 'set' : 'not set'
    return { key, message: `is not met: the environment variable ${name} is ${state}` }
  }
  return null
}

function idOf(value: unknown): string | null {
  const id = value !== null && typeof value === 'object' ? Reflect.get(value, 'product_id') : null
  return typeof id === 'string' ? id.slice(0, 80) : null
}

function toProblem(
  file: string | null,
  place: Place | null,
  path: SpecPath,
  message: string,
  got?: string,
): SpecProblem {
  return {
    file,
    line: place?.line ?? null,
    column: place?.column ?? null,
    path: showPath(path),
    pointer: pointerOf(path),
    message,
    ...(got !== undefined && { got }),
  }
}

function isContainer(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}

function valueAt(value: unknown, path: SpecPath): unknown {
  let found = value
  for (const step of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, step)) return undefined
    found = Reflect.get(found, step)
  }
  return found
}

/** Steps of an RFC 6901 pointer; numbers where the document has an array. */
function pointerPath(pointer: string, document: unknown): SpecPath {
  const path: (string | number)[] = []
  for (const name of pointerTokens(pointer)) {
    path.push(Array.isArray(valueAt(document, path)) ? Number(name) : name)
  }
  return path
}

function alreadyTold(problems: readonly SpecProblem[], path: SpecPath): boolean {
  const shown = showPath(path)
  return problems.some((problem) => problem.path === shown)
}

type Members = Record<string, { properties?: Members; items?: { properties?: Members } }>

function unknownKey(path: SpecPath): string {
  // Every name of a header is known.
  if (path.length === 3 && path[1] === 'headers') return 'is not the name of a header'
  if (path.includes('price') && /^(usd|dollars?|cents?|amount)$/i.test(String(path.at(-1))))
    return 'is not a known key; a price is in `credits`, and 1 credit is USD 0.01'
  return `is not a known key${nearestKey(path)}`
}

/** Known keys where an unknown one stands, the likeliest one first. */
function nearestKey(path: SpecPath): string {
  let members = ProductDocument.properties as unknown as Members | undefined
  for (const step of path.slice(0, -1)) {
    if (typeof step === 'number') continue
    const member = members?.[step]
    members = member?.properties ?? member?.items?.properties
  }
  const known = Object.keys(members ?? {})
  if (known.length === 0) return ''
  const wrong = String(path.at(-1)).toLowerCase()
  const close =
    known.find((name) => isMisspelt(name, wrong)) ??
    known.find((name) => wrong.length >= 3 && (name.startsWith(wrong) || wrong.startsWith(name)))
  return close === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${close}?`
}

const PATTERN_HINTS: Record<string, string> = {
  product_id: 'must be lower-case letters, digits and dashes, a letter first (at most 40)',
  base_path: 'must be a path such as /v1/weather, without a slash at the end',
  route:
    'must be GET, POST, PUT, PATCH, DELETE or ANY and a path below base_path, such as "POST /extract/{id}"',
  timeout: 'must be a duration such as 500ms, 10s or 2m',
  reset: 'must be a duration such as 500ms, 10s or 2m',
  body: 'must be a size such as 512KiB or 20MiB',
  skill: 'must be a skill id such as weather.forecast',
  id: 'must be a skill id such as weather.forecast',
  tool: 'must be a tool name such as weather.forecast',
  plugin: 'must be the id of a plugin',
  only_with: 'must be the name of an environment variable',
  only_without: 'must be the name of an environment variable',
  unit: 'must be the name of a unit in lower case, such as page',
  from: 'must be a JSON pointer such as /usage/pages, header:X-Usage, bytes, seconds or units',
  free: 'must be calls per day or month, such as 50/day',
}

/** Members that newcomers write as one value. */
const OBJECT_HINTS: Record<string, string> = {
  price: 'must be an object such as { credits: 1 }; 1 credit is USD 0.01',
  upstream: 'must be an object such as { url: https://api.example.com }',
}

function plainer(message: string, path: SpecPath): string {
  if (message === 'must be object') return OBJECT_HINTS[String(path.at(-1))] ?? message
  // A list of tiers is what few write; a price that is not a number is most often a number gone wrong.
  if (message === 'must be either number or array') return 'must be number'
  // A number or a word where a form of text is meant is told the form.
  if (!message.includes('pattern') && message !== 'must be string') return message
  const name = String(path.findLast((step) => typeof step === 'string'))
  return PATTERN_HINTS[name] ?? PATTERN_HINTS[name.replace(/s$/, '')] ?? message
}
