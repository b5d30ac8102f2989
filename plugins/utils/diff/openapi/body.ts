/** Request bodies: there or not, required or not, in which media types, of which schema. */
import { mapOf, show } from '../pointer.ts'
import { levelOf } from '../levels.ts'
import type { Direction, Effect } from '../types.ts'
import { includesMediaType, isJson } from './content.ts'
import type { Content, OperationPair } from './model.ts'
import type { Session } from './session.ts'

/** Reports changes of the request body, which travels in `direction`. */
export function compareBody(
  session: Session,
  { before, after }: OperationPair,
  direction: Direction,
): void {
  const [old, now] = [before.body, after.body]
  const add = (id: string, effect: Effect, location: string, message: string) =>
    session.collector.note(direction, effect, { id, location, operation: after.label, message })
  if (!old && !now) return
  if (!old) {
    const id = `request-body-added-${now!.required ? 'required' : 'optional'}`
    add(
      id,
      now!.required ? 'narrows' : 'none',
      now!.pointer,
      `${now!.required ? 'a required' : 'an optional'} request body was added`,
    )
    return
  }
  if (!now) {
    add('request-body-removed', 'unknown', old.pointer, 'the request body was removed')
    return
  }
  if (!old.required && now.required) {
    add('request-body-became-required', 'narrows', now.pointer, 'the request body became required')
  }
  if (old.required && !now.required) {
    add('request-body-became-optional', 'widens', now.pointer, 'the request body became optional')
  }
  const pairs = matchContent(old.content, now.content)
  for (const one of pairs.removed) {
    const kept = [...now.content.keys()].some((key) => includesMediaType(key, one.key))
    const message = `media type ${show(one.content.mediaType)} was removed from the request body`
    add('request-body-media-type-removed', kept ? 'none' : 'narrows', one.content.pointer, message)
  }
  for (const one of pairs.added) {
    const message = `media type ${show(one.content.mediaType)} was added to the request body`
    add(
      'request-body-media-type-added',
      direction === 'request' ? 'widens' : 'none',
      one.content.pointer,
      message,
    )
  }
  for (const [a, b, key] of pairs.same) compareContent(session, after.label, direction, a, b, key)
}

interface Keyed {
  key: string
  content: Content
}
export interface ContentPairs {
  same: [Content, Content, string][]
  removed: Keyed[]
  added: Keyed[]
}

/** Media types of both sides, matched by their names, then without parameters. */
export function matchContent(old: Map<string, Content>, now: Map<string, Content>): ContentPairs {
  const pairs: ContentPairs = { same: [], removed: [], added: [] }
  const left = new Map(now)
  const unmatched: Keyed[] = []
  for (const [key, content] of old) {
    const other = left.get(key)
    if (other) {
      left.delete(key)
      pairs.same.push([content, other, key])
    } else unmatched.push({ key, content })
  }
  for (const one of unmatched) {
    const base = one.key.split(';')[0]!
    const found = [...left].find(([key]) => key.split(';')[0] === base)
    if (found) {
      left.delete(found[0])
      pairs.same.push([one.content, found[1], base])
    } else pairs.removed.push(one)
  }
  for (const [key, content] of left) pairs.added.push({ key, content })
  return pairs
}

/** Reports changes of the schema of one media type. */
export function compareContent(
  session: Session,
  operation: string,
  direction: Direction,
  old: Content,
  now: Content,
  mediaType: string,
  status?: string,
): void {
  const { collector } = session
  const wire = isJson(mediaType) ? 'json' : 'text'
  const site = { direction, scope: { kind: 'body' }, operation, status } as const
  const only = old.schema && now.schema ? null : (old.schema ?? now.schema)
  if (only && (typeof only.raw === 'boolean' || Object.keys(mapOf(only.raw)).length === 0)) {
    // Without a schema everything is accepted, as by `true` and `{}`.
    const open = { raw: true, pointer: only.pointer }
    session.schemas(site, wire, old.schema ?? open, now.schema ?? open)
    return
  }
  if (Boolean(old.schema) !== Boolean(now.schema)) {
    const what = now.schema ? 'added' : 'removed'
    const id = `${direction}-body-media-type-schema-${what}`
    const level = levelOf(id, now.schema ? 'narrows' : 'widens', direction)
    const message = `the schema of media type ${show(mediaType)} was ${what}`
    collector.add({
      id,
      level,
      location: now.schema ? now.pointer : old.pointer,
      operation,
      message,
    })
    return
  }
  if (!old.schema || !now.schema) return
  session.schemas(site, wire, old.schema, now.schema)
}
