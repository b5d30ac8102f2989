/** The example call of a skill as a line for a shell: for documents that people and models copy from. */
import type { MountedSkill } from '#kernel'

type Described = Pick<MountedSkill, 'skill' | 'route' | 'metered'>

export interface ExampleCall {
  method: string
  /** With the values of its parameters, and the query of a GET or DELETE. */
  path: string
  /** Null where the method has none. */
  body: object | null
}

/** Query text of a GET's example input, with '?'; '' for none. */
function exampleQuery(input: Record<string, unknown>, pathNames: ReadonlySet<string>): string {
  const members = Object.entries(input).filter(([name]) => !pathNames.has(name))
  const query = new URLSearchParams(
    members.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
  return query === '' ? '' : `?${query}`
}

/** The example call of a skill that has a route. */
export function exampleCall({ skill, route }: Described): ExampleCall {
  const { method, path } = route!
  const input = (skill.example?.input ?? {}) as Record<string, unknown>
  const inPath = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!))
  const filled = path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = input[name]
    return typeof value === 'string' || typeof value === 'number'
      ? encodeURIComponent(String(value))
      : whole
  })
  if (method === 'GET' || method === 'DELETE')
    return { method, path: filled + exampleQuery(input, inPath), body: null }
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name))
  return {
    method: method === 'ANY' ? 'POST' : method,
    path: filled,
    body: Object.fromEntries(rest),
  }
}

/** A curl line that buys one call with a key, broken by `\` and `break`. */
export function curlOf(publicUrl: string, mounted: Described, lineBreak = '\n  '): string {
  const { method, path, body } = exampleCall(mounted)
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${shellQuoted(publicUrl + path)}'`,
    ...(mounted.metered ? [`-H 'X-Api-Key: ck_…'`] : []),
    ...(body === null
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${shellQuoted(JSON.stringify(body))}'`]),
  ]
  return parts.join(lineBreak === ' ' ? ' ' : ` \\${lineBreak}`)
}

const shellQuoted = (text: string): string => text.replaceAll("'", "'\\''")
