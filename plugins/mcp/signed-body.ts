/** What a signed receipt of a tool call is of: the parts of the result that the work gave. */
import type { Skill } from '#kernel'
import { contentOf } from './content.ts'
import { isObject } from './protocol.ts'

const encoder = new TextEncoder()

/**
 * UTF-8 of the canonical JSON (RFC 8785) of `content` and, where the result has it,
 * `structuredContent`: whoever has the result can write the same bytes, however it was sent.
 */
export function signedBody(skill: Skill, json: string): Uint8Array {
  const content: unknown = JSON.parse(contentOf(skill, json))
  const structured = json.startsWith('{') ? { structuredContent: JSON.parse(json) as unknown } : {}
  return encoder.encode(canonical({ content, ...structured }))
}

/** Members in the order of their names' UTF-16 units; numbers and texts as JSON.stringify has them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${members.join(',')}}`
}
