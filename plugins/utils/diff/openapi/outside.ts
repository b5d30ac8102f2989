/** Parts of paths and operations that stand in other documents, which were not given. */
import type { Document } from '../document.ts'
import { join, show } from '../pointer.ts'
import type { OperationPair, PathItem } from './model.ts'
import type { Session } from './session.ts'

/** Reports what an operation refers to in another document than before: what is there is not known. */
export function compareOutside(session: Session, { before, after }: OperationPair): void {
  const old = outsideOf(session.before, before.pointer)
  const now = outsideOf(session.after, after.pointer)
  for (const slot of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(slot), now.get(slot)]
    if (from?.reference === to?.reference) continue
    session.collector.add({
      id: 'api-reference-changed',
      level: 'warning',
      location: (to ?? from)!.pointer,
      operation: after.label,
      message: `${to ? 'refers' : 'does not refer'} to ${show((to ?? from)!.reference)} now, which is not among the documents given`,
      ...(from && { before: from.reference }),
      ...(to && { after: to.reference }),
    })
  }
}

interface Outside {
  reference: string
  pointer: string
}

/** By what it is used for: the place in the operation, or for parameters, whose order is free, the reference. */
function outsideOf(document: Document, operation: string): Map<string, Outside> {
  const found = new Map<string, Outside>()
  const shared = `${operation.slice(0, operation.lastIndexOf('/'))}/parameters/`
  const own = `${operation}/`
  for (const [pointer, reference] of document.outside) {
    const isParameter = pointer.startsWith(shared) || pointer.startsWith(`${own}parameters/`)
    if (isParameter) found.set(`parameter ${reference}`, { reference, pointer })
    else if (pointer.startsWith(own)) found.set(pointer.slice(own.length), { reference, pointer })
  }
  return found
}

/** Reports a path whose description moved to or from another document; true when it did. */
export function compareOutsidePath(
  session: Session,
  before: PathItem,
  after: PathItem | undefined,
): boolean {
  if (before.external === after?.external) return false
  session.collector.add({
    ...(after
      ? { id: 'api-path-reference-changed', level: 'warning' }
      : { id: 'api-path-removed-without-deprecation', level: 'breaking' }),
    location: join('', 'paths', (after ?? before).path),
    message: `the path ${show(before.path)} ${after ? 'refers to another document now, or does no longer,' : 'was removed, and referred to a document'} which is not among those given`,
    ...(before.external !== undefined && { before: before.external }),
    ...(after?.external !== undefined && { after: after.external }),
  })
  return true
}
