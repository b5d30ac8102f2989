/** Which path and operation of one document is which of the other, and which came or went. */
import { join } from '../pointer.ts'
import { isUnstable, removal } from './lifecycle.ts'
import type { Operation, OperationPair, PathItem } from './model.ts'
import { compareOutsidePath } from './outside.ts'
import type { Session } from './session.ts'

const PARAMETER = /\{([^{}]*)\}/g

/** Reports paths and operations that came or went; returns the pairs that stayed. */
export function comparePaths(
  session: Session,
  before: PathItem[],
  after: PathItem[],
): OperationPair[] {
  const pairs: OperationPair[] = []
  const matched = matchPaths(before, after)
  for (const [item, other] of matched) {
    if (compareOutsidePath(session, item, other)) continue
    for (const [method, operation] of item.operations) {
      const now = other?.operations.get(method)
      if (now)
        pairs.push({ before: operation, after: now, renamed: renames(item.path, other!.path) })
      else removed(session, operation, other === undefined)
    }
    for (const [method, operation] of other?.operations ?? []) {
      if (!item.operations.has(method)) added(session, operation)
    }
  }
  const known = new Set(matched.values())
  for (const item of after) {
    if (!known.has(item))
      for (const operation of item.operations.values()) added(session, operation)
  }
  return pairs
}

/** Paths are the same when they differ in parameter names only; exact matches go first. */
function matchPaths(before: PathItem[], after: PathItem[]): Map<PathItem, PathItem | undefined> {
  const free = new Set(after)
  const matched = new Map<PathItem, PathItem | undefined>()
  const rules = [
    (path: string) => path,
    template,
    (path: string) => template(path).replace(/\/$/, ''),
  ]
  for (const rule of rules) {
    for (const item of before) {
      if (matched.get(item)) continue
      const found = [...free].find((other) => rule(other.path) === rule(item.path))
      matched.set(item, found)
      if (found) free.delete(found)
    }
  }
  return matched
}

function template(path: string): string {
  return path.replaceAll(PARAMETER, '{}')
}

function renames(before: string, after: string): Map<string, string> {
  const names = (path: string) => [...path.matchAll(PARAMETER)].map((match) => match[1]!)
  const [old, now] = [names(before), names(after)]
  return new Map(now.map((name, index) => [name, old[index] ?? name]))
}

function added({ collector }: Session, operation: Operation): void {
  collector.add({
    id: 'endpoint-added',
    level: 'info',
    location: operation.pointer,
    operation: operation.label,
    message: 'endpoint added',
  })
}

function removed(session: Session, operation: Operation, wholePath: boolean): void {
  // Draft and alpha endpoints promise nothing.
  if (isUnstable(operation.raw)) return
  const head = wholePath ? 'api-path-removed' : 'api-removed'
  const { ending, level, message } = removal(operation.raw, session.today)
  const id = ending === 'sunset-parse' ? 'api-path-sunset-parse' : `${head}-${ending}`
  session.collector.add({
    id,
    level,
    location: operation.pointer || join('', 'paths', operation.path),
    operation: operation.label,
    message: `${wholePath ? 'path' : 'endpoint'} removed ${message}`,
  })
}
