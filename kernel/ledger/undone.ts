/**
 * What to do when a statement broke a CHECK: the account changed while it waited for the lock, so
 * that nothing of it happened, and it is run again.
 */
import { codeOf } from '../work/retry.ts'

const CHECK_VIOLATION = '23514'
/** A batch's tries as a batch; then its members go on singly. With budgets such losses are ordinary. */
const BATCH_ROUNDS = 4
/** Rounds lost to others on the same account or request before giving up with 503. */
export const MAX_ROUNDS = 50

/** Whether the statement was undone because the account changed meanwhile. */
export function isUndone(error: unknown): boolean {
  return codeOf(error) === CHECK_VIOLATION
}

/** The statement's result, or 'undone'. Other errors are thrown. */
export async function unlessUndone<T>(statement: () => Promise<T>): Promise<T | 'undone'> {
  try {
    return await statement()
  } catch (error) {
    if (isUndone(error)) return 'undone'
    throw error
  }
}

/** The result of a batch that is run again while it is undone; throws what its last try threw. */
export async function rerunAsBatch<T>(statement: () => Promise<T>): Promise<T> {
  for (let round = 1; round < BATCH_ROUNDS; round++) {
    const result = await unlessUndone(statement)
    if (result !== 'undone') return result
  }
  return statement()
}
