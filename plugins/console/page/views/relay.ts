/** What the views of the webhook relay share. */
import { ApiError } from '../../../shared/pages/api.ts'
import { note } from '../../../shared/pages/parts.ts'

export const RELAY = '/v1/admin/webinfra'

/** The data, or null when the relay is not mounted, which is not a failure. */
export async function orNotMounted<T>(asked: Promise<T>, isOne = false): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.status === 404
    if (isAbsent && !(isOne && error.message !== NO_PATH)) return null
    throw error
  }
}

/** What the gateway says where no route is, unlike where no such id is. */
const NO_PATH = 'There is nothing at this path'

export const notMounted = (): HTMLElement =>
  note('quiet', 'The webhook relay (product webinfra) is not mounted on this gateway.')
