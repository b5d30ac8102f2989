/** Compares one operation with what became of it. */
import { show, stringsOf } from '../pointer.ts'
import type { Direction } from '../types.ts'
import { compareBody } from './body.ts'
import { compareLifecycle, isUnstable } from './lifecycle.ts'
import type { OperationPair } from './model.ts'
import { compareOutside } from './outside.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { compareOperationSecurity } from './security.ts'
import type { Session } from './session.ts'

/**
 * Reports the changes of one operation. `flow` is 'request' for what clients call; callbacks and
 * webhooks are called by the server, so there the request travels as a response does.
 */
export function compareOperation(session: Session, pair: OperationPair, inverted = false): void {
  compareLifecycle(session, pair)
  if (isUnstable(pair.before.raw)) return
  if (!inverted) compareOutside(session, pair)
  const [outward, inward]: Direction[] = inverted
    ? ['response', 'request']
    : ['request', 'response']
  if (session.directions.has(outward!)) {
    if (!inverted) compareParameters(session, pair)
    compareBody(session, pair, outward!)
  }
  if (session.directions.has(inward!)) compareResponses(session, pair, inward!)
  if (!inverted) {
    compareOperationSecurity(session, pair)
    compareNames(session, pair)
    compareCallbacks(session, pair)
  }
}

function compareNames({ collector }: Session, { before, after }: OperationPair): void {
  const base = { level: 'info' as const, location: after.pointer, operation: after.label }
  const [old, now] = [before.raw.operationId, after.raw.operationId]
  if (old !== now) {
    const id = old === undefined ? 'api-operation-id-added' : 'api-operation-id-removed'
    const message = `operationId changed from ${show(old ?? 'none')} to ${show(now ?? 'none')}`
    collector.add({ ...base, id, message, before: old, after: now })
  }
  const [oldTags, newTags] = [stringsOf(before.raw.tags), stringsOf(after.raw.tags)]
  for (const tag of oldTags.filter((one) => !newTags.includes(one))) {
    collector.add({
      ...base,
      id: 'api-tag-removed',
      message: `tag ${show(tag)} was removed`,
      before: tag,
    })
  }
  for (const tag of newTags.filter((one) => !oldTags.includes(one))) {
    collector.add({
      ...base,
      id: 'api-tag-added',
      message: `tag ${show(tag)} was added`,
      after: tag,
    })
  }
}

function compareCallbacks(session: Session, { before, after }: OperationPair): void {
  const base = { operation: after.label }
  for (const [name, callback] of before.callbacks) {
    const other = after.callbacks.get(name)
    if (other)
      compareOperation(session, { before: callback, after: other, renamed: new Map() }, true)
    else {
      const message = `callback ${show(name)} was removed`
      const location = callback.pointer
      session.collector.add({
        ...base,
        id: 'api-callback-removed',
        level: 'warning',
        location,
        message,
      })
    }
  }
  for (const [name, callback] of after.callbacks) {
    if (before.callbacks.has(name)) continue
    const message = `callback ${show(name)} was added`
    const location = callback.pointer
    session.collector.add({ ...base, id: 'api-callback-added', level: 'info', location, message })
  }
}
