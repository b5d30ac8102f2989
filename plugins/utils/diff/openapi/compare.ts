/** Compares two OpenAPI documents: paths, operations, webhooks and components. */
import type { Document } from '../document.ts'
import { compareComponents } from './components.ts'
import { compareOperation } from './operation.ts'
import { comparePaths } from './paths.ts'
import { readPaths } from './read-operations.ts'
import type { Session } from './session.ts'
import { compareWebhooks } from './webhooks.ts'

/** Adds every change between the two documents of the session to its collector. */
export function compareOpenApi(session: Session): void {
  const { before, after } = session
  const root = (document: Document) => ({ raw: document.root, pointer: '' })
  const pairs = comparePaths(
    session,
    readPaths(before, before.child(root(before), 'paths')),
    readPaths(after, after.child(root(after), 'paths')),
  )
  for (const pair of pairs) compareOperation(session, pair)
  compareWebhooks(session)
  compareComponents(session, pairs)
}
