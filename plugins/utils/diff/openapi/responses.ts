/** Responses: statuses, headers, media types and schemas. */
import { mapOf, show } from '../pointer.ts'
import type { Change, Direction } from '../types.ts'
import { compareContent, matchContent } from './body.ts'
import { includesMediaType } from './content.ts'
import type { Header, OperationPair, Response } from './model.ts'
import type { Session } from './session.ts'

/** Reports changes of the responses, which travel in `direction`. */
export function compareResponses(
  session: Session,
  { before, after }: OperationPair,
  direction: Direction,
): void {
  const add = adder(session, after.label)
  const taken = new Set<string>()
  for (const [status, old] of before.responses) {
    const now = after.responses.get(status) ?? rangeOf(after.responses, status)
    if (now) {
      taken.add(now.status)
      compareResponse(session, after.label, direction, old, now)
      continue
    }
    const success = isSuccess(status)
    const id = `response-${success ? 'success' : 'non-success'}-status-removed`
    add(
      id,
      success ? 'breaking' : 'info',
      old.pointer,
      `the response with status ${status} was removed`,
    )
  }
  for (const [status, now] of after.responses) {
    if (before.responses.has(status) || taken.has(now.status)) continue
    const id = `response-${isSuccess(status) ? 'success' : 'non-success'}-status-added`
    add(id, 'info', now.pointer, `the response with status ${status} was added`)
  }
}

type Add = (id: string, level: Change['level'], location: string, message: string) => void

function adder({ collector }: Session, operation: string): Add {
  return (id, level, location, message) =>
    collector.add({ id, level, location, operation, message })
}

function isSuccess(status: string): boolean {
  return /^2(?:\d\d|XX)$/.test(status)
}

/** The response of the status range (`2XX`) that covers a status. */
function rangeOf(responses: Map<string, Response>, status: string): Response | undefined {
  return /^[1-5]\d\d$/.test(status) ? responses.get(`${status[0]}XX`) : undefined
}

function compareResponse(
  session: Session,
  operation: string,
  direction: Direction,
  old: Response,
  now: Response,
): void {
  const add = adder(session, operation)
  const { status } = old
  compareHeaders(session, operation, old, now)
  const pairs = matchContent(old.content, now.content)
  const { removed, added } = pairs
  if (removed.length === 1 && added.length === 1) {
    const [from, to] = [removed[0]!, added[0]!]
    const wider = includesMediaType(to.key, from.key)
    if (wider || includesMediaType(from.key, to.key)) {
      const id = `response-media-type-name-${wider ? 'generalized' : 'specialized'}`
      const text = `media type ${show(from.content.mediaType)} became ${show(to.content.mediaType)} (status ${status})`
      add(id, wider ? 'breaking' : 'info', to.content.pointer, text)
      compareContent(session, operation, direction, from.content, to.content, to.key, status)
      removed.pop()
      added.pop()
    }
  }
  for (const { key, content } of removed) {
    const kept = [...now.content.keys()].some((other) => includesMediaType(other, key))
    const message = `media type ${show(content.mediaType)} was removed from the response (status ${status})`
    add('response-media-type-removed', kept ? 'info' : 'breaking', content.pointer, message)
  }
  for (const { content } of added) {
    const message = `media type ${show(content.mediaType)} was added to the response (status ${status})`
    add('response-media-type-added', 'info', content.pointer, message)
  }
  for (const [a, b, key] of pairs.same) {
    if (a.mediaType !== b.mediaType && parameters(a.mediaType) !== parameters(b.mediaType)) {
      const text = `media type ${show(a.mediaType)} became ${show(b.mediaType)} (status ${status})`
      add('response-media-type-name-changed', 'info', b.pointer, text)
    }
    compareContent(session, operation, direction, a, b, key, status)
  }
}

function parameters(mediaType: string): string {
  return mediaType.toLowerCase().replaceAll(/\s+/g, '').split(';').slice(1).sort().join(';')
}

function compareHeaders(session: Session, operation: string, old: Response, now: Response): void {
  const add = adder(session, operation)
  const when = ` (status ${old.status})`
  for (const [name, header] of old.headers) {
    const other = now.headers.get(name)
    if (other) compareHeader(session, operation, old.status, header, other)
    else if (header.required) {
      const message = `the required response header ${show(header.name)} was removed${when}`
      add('required-response-header-removed', 'breaking', header.pointer, message)
    } else {
      const message = `the optional response header ${show(header.name)} was removed${when}`
      add('optional-response-header-removed', 'warning', header.pointer, message)
    }
  }
  for (const [name, header] of now.headers) {
    if (old.headers.has(name)) continue
    add(
      'response-header-added',
      'info',
      header.pointer,
      `the response header ${show(header.name)} was added${when}`,
    )
  }
}

function compareHeader(
  session: Session,
  operation: string,
  status: string,
  old: Header,
  now: Header,
): void {
  const add = adder(session, operation)
  const title = `the response header ${show(now.name)} (status ${status})`
  if (old.required && !now.required) {
    add('response-header-became-optional', 'breaking', now.pointer, `${title} became optional`)
  }
  if (!old.required && now.required) {
    add('response-header-became-required', 'info', now.pointer, `${title} became required`)
  }
  const [before, after] = [mapOf(old.raw).explode === true, mapOf(now.raw).explode === true]
  if (before !== after && session.structured(old.schema, now.schema)) {
    add(
      'response-header-explode-changed',
      'breaking',
      now.pointer,
      `${title}: explode changed to ${after}`,
    )
  }
  if (!old.schema || !now.schema) return
  const scope = { kind: 'header' as const, name: now.name }
  session.schemas(
    { direction: 'response', scope, operation, status },
    'text',
    old.schema,
    now.schema,
  )
}
