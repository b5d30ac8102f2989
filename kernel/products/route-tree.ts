/** The look-up of a method and a path among route patterns. */
import { parameterOf, valueIn, type Parameter } from './path.ts'

export interface RoutePattern<T> {
  /** 'ANY' matches every method that may be forwarded. */
  method: string
  /** Starts with '/'; segments may hold {name} once; may end in '/*'. */
  path: string
  target: T
}
export type Found<T> =
  | { kind: 'found'; target: T; params: Readonly<Record<string, string>> }
  | { kind: 'method_not_allowed'; allow: string[] }
  | { kind: 'bad_path'; message: string }
  | { kind: 'not_found' }

interface Leaf<T> {
  target: T
  names: readonly string[]
}
interface Branch<T> {
  fixed: Map<string, Branch<T>>
  /** By the segment around them, those with the longest text first. */
  parameters: { parameter: Parameter; branch: Branch<T> }[]
  methods: Map<string, Leaf<T>>
  rest: Map<string, Leaf<T>>
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const MAX_SEGMENTS = 64
const ALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Never forwarded: tunnels are not requests to a path, and echoes reveal upstream headers. */
const NEVER_ANY: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Looks a method and a path up among patterns: whole static paths in a Map, the rest in a tree of
 * segments. Static segments win over parameters, those with more text around them over others, and all over '/*'.
 */
export class RouteTree<T> {
  readonly #static = new Map<string, Map<string, T>>()
  readonly #root = branch<T>()

  constructor(patterns: Iterable<RoutePattern<T>>) {
    for (const { method, path, target } of patterns) {
      const isStatic = !path.includes('{') && !path.endsWith('/*')
      if (isStatic) memberOf(this.#static, path, () => new Map()).set(method, target)
      this.#insert(method, path, target)
    }
  }

  #insert(method: string, path: string, target: T): void {
    const names: string[] = []
    const segments = path.split('/').slice(1)
    const isRest = segments.at(-1) === '*'
    if (isRest) segments.pop()
    if (segments.length === 1 && segments[0] === '') segments.pop()
    let at = this.#root
    for (const segment of segments) {
      const parameter = parameterOf(segment)
      if (parameter === null) at = memberOf(at.fixed, segment, () => branch<T>())
      else {
        names.push(parameter.name)
        at = below(at, parameter)
      }
    }
    const methods = isRest ? at.rest : at.methods
    methods.set(method, { target, names })
  }

  /**
   * The target of a path, whose segments are percent-decoded once. A decoded '/', '.', '..' or
   * control character is refused, because upstreams could read it as a different path.
   */
  match(method: string, path: string): Found<T> {
    const known = this.#static.get(path)
    const direct = known && answering(known, method)
    if (direct !== undefined) return { kind: 'found', target: direct, params: NO_PARAMS }
    const segments = path === '' || path === '/' ? [] : path.slice(1).split('/')
    if (segments.length > MAX_SEGMENTS)
      return { kind: 'bad_path', message: `The path has more than ${MAX_SEGMENTS} segments` }
    const decoded: string[] = []
    for (const [index, segment] of segments.entries()) {
      const plain = decodeSegment(segment)
      if (plain === null)
        return { kind: 'bad_path', message: 'The path holds a malformed or forbidden escape' }
      if (plain === '' && index < segments.length - 1)
        return { kind: 'bad_path', message: 'The path has an empty segment' }
      decoded.push(plain)
    }
    const allow = new Set<string>()
    const values: string[] = []
    const leaf = find(this.#root, decoded, 0, method, values, allow)
    if (leaf) return { kind: 'found', target: leaf.target, params: paramsOf(leaf, values) }
    return allow.size > 0
      ? { kind: 'method_not_allowed', allow: [...allow] }
      : { kind: 'not_found' }
  }
}

function branch<T>(): Branch<T> {
  return { fixed: new Map(), parameters: [], methods: new Map(), rest: new Map() }
}

/** The branch below a parameter, whatever its name. */
function below<T>({ parameters }: Branch<T>, parameter: Parameter): Branch<T> {
  const { before, after } = parameter
  const known = parameters.find(
    ({ parameter: one }) => one.before === before && one.after === after,
  )
  if (known) return known.branch
  const made = { parameter, branch: branch<T>() }
  parameters.push(made)
  parameters.sort((one, other) => textLength(other.parameter) - textLength(one.parameter))
  return made.branch
}

const textLength = ({ before, after }: Parameter): number => before.length + after.length

function memberOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function find<T>(
  at: Branch<T>,
  segments: readonly string[],
  depth: number,
  method: string,
  values: string[],
  allow: Set<string>,
): Leaf<T> | null {
  const segment = segments[depth]
  if (segment === undefined) {
    const leaf = answering(at.methods, method)
    if (leaf) return leaf
    note(at.methods, allow)
  } else {
    const fixed = at.fixed.get(segment)
    const inFixed = fixed ? find(fixed, segments, depth + 1, method, values, allow) : null
    if (inFixed) return inFixed
    for (const { parameter, branch: next } of at.parameters) {
      const value = valueIn(segment, parameter)
      if (value === null) continue
      values.push(value)
      const inParameter = find(next, segments, depth + 1, method, values, allow)
      if (inParameter) return inParameter
      values.pop()
    }
  }
  const rest = answering(at.rest, method)
  if (rest) return rest
  note(at.rest, allow)
  return null
}

function answering<V>(methods: ReadonlyMap<string, V>, method: string): V | undefined {
  return methods.get(method) ?? (NEVER_ANY.has(method) ? undefined : methods.get('ANY'))
}

function note(methods: ReadonlyMap<string, unknown>, allow: Set<string>): void {
  for (const method of methods.keys()) {
    for (const one of method === 'ANY' ? ALL_METHODS : [method]) allow.add(one)
  }
}

function paramsOf<T>(leaf: Leaf<T>, values: readonly string[]): Readonly<Record<string, string>> {
  if (leaf.names.length === 0) return NO_PARAMS
  return Object.fromEntries(leaf.names.map((name, index) => [name, values[index] ?? '']))
}

function decodeSegment(segment: string): string | null {
  let plain = segment
  if (segment.includes('%')) {
    try {
      plain = decodeURIComponent(segment)
    } catch {
      return null
    }
  }
  if (plain === '.' || plain === '..' || plain.includes('/') || plain.includes('\\')) return null
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return null
  }
  return plain
}
