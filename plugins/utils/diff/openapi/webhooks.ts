/** Webhooks (OpenAPI 3.1 and `x-webhooks`): the server calls, so requests travel as responses do. */
import type { Document } from '../document.ts'
import { mapOf, show } from '../pointer.ts'
import type { Operation } from './model.ts'
import { compareOperation } from './operation.ts'
import { compareOutside } from './outside.ts'
import { readPaths } from './read-operations.ts'
import type { Session } from './session.ts'

/** Reports webhooks that came, went or changed. */
export function compareWebhooks(session: Session): void {
  const [old, now] = [operationsOf(session.before), operationsOf(session.after)]
  for (const [name, operation] of old) {
    const other = now.get(name)
    if (other) {
      const pair = { before: operation, after: other, renamed: new Map() }
      compareOperation(session, pair, true)
      compareOutside(session, pair)
    } else report(session, 'removed', 'breaking', name, operation)
  }
  for (const [name, operation] of now) {
    if (!old.has(name)) report(session, 'added', 'info', name, operation)
  }
}

function operationsOf(document: Document): Map<string, Operation> {
  const root = { raw: document.root, pointer: '' }
  const field = mapOf(document.root).webhooks === undefined ? 'x-webhooks' : 'webhooks'
  const operations = new Map<string, Operation>()
  for (const item of readPaths(document, document.child(root, field))) {
    for (const operation of item.operations.values()) operations.set(operation.label, operation)
  }
  return operations
}

function report(
  { collector }: Session,
  what: 'added' | 'removed',
  level: 'breaking' | 'info',
  name: string,
  operation: Operation,
): void {
  collector.add({
    id: `webhook-${what}`,
    level,
    location: operation.pointer,
    operation: operation.label,
    message: `the webhook ${show(name)} was ${what}`,
  })
}
