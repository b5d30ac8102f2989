/** Query parameters of the console's lists. */
import { Type } from 'typebox'
import { isUuid, type Issue } from '#kernel'

export const TEXT_MAX = 200
export const PAGE = { min: 1, max: 200, fallback: 50 }
export const Text = Type.Optional(Type.String({ maxLength: TEXT_MAX }))
export const PageSize = Type.Optional(
  Type.Integer({ minimum: PAGE.min, maximum: PAGE.max, default: PAGE.fallback }),
)

/** A filter's text; undefined when absent. PostgreSQL refuses NUL, and no name has a control character. */
export function textOf(query: URLSearchParams, name: string, issues: Issue[]): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\P{Cc}{1,200}$/u.test(text)) return text
  issues.push({ path: `/${name}`, message: `must have 1 to ${TEXT_MAX} printable characters` })
  return undefined
}

export function oneOf<T extends string>(
  query: URLSearchParams,
  name: string,
  allowed: readonly T[],
  issues: Issue[],
): T | undefined {
  const text = query.get(name)
  const found = allowed.find((one) => one === text)
  if (text !== null && found === undefined) {
    issues.push({ path: `/${name}`, message: `must be one of ${allowed.join(', ')}` })
  }
  return found
}

/** An id of a row, such as a cursor; null when absent. */
export function idOf(query: URLSearchParams, name: string, issues: Issue[]): string | null {
  const text = query.get(name)
  if (text === null || isUuid(text)) return text
  issues.push({ path: `/${name}`, message: 'must be an id that an earlier page gave' })
  return null
}
