/** The example call of a skill as a line for a shell: for documents that people and models copy from. */
import type { MountedSkill } from '#kernel'
import { addPairs, headerText, pathText } from './request-pairs.ts'
import {
  bodyKind,
  bodyType,
  bodyValueSchema,
  FORM_BODY,
  hasBody,
  isFile,
  isInHeader,
  isInQuery,
  membersOf,
  MULTIPART_BODY,
  namesOnlyInPath,
  styleOf,
  type BodyKind,
} from './request-places.ts'

type Described = Pick<MountedSkill, 'skill' | 'route' | 'metered'>

export interface ExampleCall {
  method: string
  /** With the values of its parameters, and its query. */
  path: string
  /** Names and values, beside those of the body and of who pays. */
  headers: readonly (readonly [string, string])[]
  /** Null where the request has none. */
  body: ExampleBody | null
}
export interface ExampleBody {
  type: string
  /** Null: a file or a form with files, or no example of it is known, so that a file takes its place. */
  text: string | null
  /** Members of a form with files, each with whether it is a file. */
  fields: readonly { name: string; isFile: boolean }[]
}

/** The example call of a skill that has a route. */
export function exampleCall({ skill, route }: Described): ExampleCall {
  const { method, path } = route!
  const input = (skill.example?.input ?? {}) as Record<string, unknown>
  const members = membersOf(skill.input)
  const inPath = namesOnlyInPath(path, skill.input)
  const filled = path.replaceAll(
    /\{([^}]+)\}/g,
    (whole, name: string) => pathText(input[name]) ?? whole,
  )
  const outside = Object.entries(input).filter(([name]) => !inPath.has(name))
  const rest = outside.filter(([name]) => !isInHeader(members[name]))
  const sendsBody = hasBody(method, skill.input)
  const isQuery = ([name]: [string, unknown]): boolean => !sendsBody || isInQuery(members[name])
  const query = pairsText(rest.filter(isQuery), members)
  return {
    method: method === 'ANY' ? 'POST' : method,
    path: filled + (query === '' ? '' : `?${query}`),
    headers: outside.flatMap(([name, value]) => {
      const text = isInHeader(members[name]) ? headerText(value) : null
      return text === null ? [] : [[name, text] as const]
    }),
    body: sendsBody
      ? exampleBody(
          rest.filter((entry) => !isQuery(entry)),
          skill.input,
          inPath,
        )
      : null,
  }
}

function exampleBody(
  entries: readonly [string, unknown][],
  input: unknown,
  inPath: ReadonlySet<string>,
): ExampleBody {
  const type = bodyType(input)
  const fields = Object.entries(membersOf(input))
    .filter(([name, member]) => !inPath.has(name) && !isInQuery(member) && !isInHeader(member))
    .map(([name, member]) => ({ name, isFile: isFile(member) }))
  if (type === FORM_BODY) return { type, text: pairsText(entries, membersOf(input)), fields }
  const value = bodyValueSchema(input)
  const shown = value === null ? Object.fromEntries(entries) : value['example']
  return { type, text: exampleText(bodyKind(input), shown), fields }
}

function exampleText(kind: BodyKind, shown: unknown): string | null {
  if (kind === 'text' && typeof shown === 'string') return shown
  return kind === 'json' && shown !== undefined ? JSON.stringify(shown) : null
}

/** The text of a query or a form; '' for none. */
function pairsText(
  entries: readonly [string, unknown][],
  members: Readonly<Record<string, unknown>>,
): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of entries) addPairs(pairs, name, value, styleOf(members[name]))
  return pairs.toString()
}

/** A curl line that buys one call with a key, broken by `\` and `break`. */
export function curlOf(publicUrl: string, mounted: Described, lineBreak = '\n  '): string {
  const { method, path, headers, body } = exampleCall(mounted)
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${shellQuoted(publicUrl + path)}'`,
    ...(mounted.metered ? [`-H 'X-Api-Key: ck_…'`] : []),
    ...headers.map(([name, text]) => `-H '${name}: ${shellQuoted(text)}'`),
    ...(body === null ? [] : bodyOptions(body)),
  ]
  return parts.join(lineBreak === ' ' ? ' ' : ` \\${lineBreak}`)
}

function bodyOptions({ type, text, fields }: ExampleBody): string[] {
  // curl writes the boundary into the header by itself.
  if (type === MULTIPART_BODY)
    return fields.length === 0
      ? ['-F NAME=@FILE']
      : fields.map(
          ({ name, isFile: hasFile }) => `-F '${shellQuoted(name)}=${hasFile ? '@FILE' : 'TEXT'}'`,
        )
  const header = `-H 'Content-Type: ${shellQuoted(type)}'`
  return [header, text === null ? '--data-binary @FILE' : `-d '${shellQuoted(text)}'`]
}

const shellQuoted = (text: string): string => text.replaceAll("'", "'\\''")
