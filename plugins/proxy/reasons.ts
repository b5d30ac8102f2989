/** What `details.reason` means when an upstream gave no answer. */
import { defineReasons } from '#kernel'

const noAnswer = (meaning: string, fix = 'Try again later.') =>
  ({ code: 'UPSTREAM_FAILURE', meaning, fix }) as const

export const REASONS = defineReasons({
  circuit_open: noAnswer(
    'The upstream failed repeatedly and is not called for `details.retryAfterMs`.',
    'Try again after `Retry-After`.',
  ),
  refused: noAnswer(
    'The address of the upstream may not be called.',
    'Tell the operator: the product names it.',
  ),
  dns: noAnswer('The name of the upstream does not resolve.'),
  connect: noAnswer('The upstream could not be reached.'),
  tls: noAnswer('No secure connection to the upstream could be made.'),
  timeout: noAnswer('The upstream did not answer in time.'),
  reset: noAnswer('The upstream closed the connection.'),
  protocol: noAnswer('The upstream did not speak valid HTTP.'),
  aborted: noAnswer('The caller went away before the answer; nothing was charged.', 'Call again.'),
})
