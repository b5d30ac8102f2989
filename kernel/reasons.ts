/**
 * The kernel's reasons: what `details.reason` of its failures means and what the caller should do.
 * Plugins that answer for the same cause (a guarded fetch, the document pool) use them as well.
 */
import { defineReasons } from './errors.ts'

export const REASONS = defineReasons({
  // Who calls.
  invalid_key: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning:
      'The API key, JWT or service token is missing, malformed, unknown, revoked or expired; `details.problem` says which where it is known.',
    fix: 'Send a valid credential; see `WWW-Authenticate`.',
  },
  key_expired: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The API key has an end (`expiresAt`), and that is over. Nothing was charged.',
    fix: 'Use another key, or ask whoever gave this one to extend it.',
  },
  origin_not_allowed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning:
      'The API key may be used from certain networks only, and `details.clientAddress`, as the gateway sees it, is in none of them. Nothing was charged.',
    fix: 'Call from an allowed network, or ask whoever gave the key to add yours.',
  },
  missing_admin_token: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The route is for the operator and the request has no admin token.',
    fix: 'Send `Authorization: Bearer` with the admin token.',
  },
  invalid_admin_token: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The admin token is wrong.',
    fix: 'Send the value of `ADMIN_TOKEN`.',
  },
  role_too_low: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: "The operator's role does not cover what was asked; `details.role` is the one needed.",
    fix: 'Ask an operator with that role, or an owner to change yours.',
  },
  // The request.
  slow_upload: {
    code: 'TIMEOUT',
    status: 408,
    meaning: 'A body came at less than 16 KiB a second after its first 30 seconds.',
    fix: 'Send the body faster, or a smaller one.',
  },
  aborted: {
    code: ['INVALID_INPUT', 'TIMEOUT'],
    meaning: 'The caller went away before the answer; nothing was charged.',
    fix: 'Call again, and keep the connection open.',
  },
  service_worker: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: "A browser asked an upstream for a service worker of the gateway's origin.",
    fix: 'Load service workers from the upstream itself.',
  },
  input_required: {
    code: 'INVALID_INPUT',
    meaning: 'A tool asks the user or the model; MCP turns it into its own questions.',
    fix: 'Answer the questions in `details.requests`.',
  },
  // Idempotency.
  idempotency_key_reused: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The Idempotency-Key was used for another request.',
    fix: 'Use a new Idempotency-Key for another request.',
  },
  idempotency_in_flight: {
    code: 'INVALID_INPUT',
    status: 409,
    retryable: true,
    meaning: 'The first request with this Idempotency-Key is still running.',
    fix: 'Send the same request again after `Retry-After`.',
  },
  idempotency_answer_not_kept: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning:
      'The first request was answered and charged; its streamed answer was over 4 MiB and is not kept.',
    fix: 'Use the first answer, or a new Idempotency-Key for a new call.',
  },
  // Accounts and budgets.
  over_budget: {
    code: 'RATE_LIMITED',
    meaning:
      'A budget of the API key for a UTC day or month is used up; `details.budget` says which, what is left of it and when it ends.',
    fix: 'Call again after `Retry-After`, or ask whoever gave the key for a larger budget.',
  },
  over_call_budget: {
    code: 'RATE_LIMITED',
    retryable: false,
    meaning:
      'The call costs more than the API key may spend on one call, or in a whole day or month; `details.budget` says which.',
    fix: 'Make a cheaper call, or ask whoever gave the key for a larger budget.',
  },
  product_not_allowed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning:
      'This API key may not buy here; `details.products` or `details.skills` lists what it may.',
    fix: 'Use another key, pay in another way, or ask whoever gave the key to allow the product.',
  },
  skill_not_allowed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The API key may not buy this skill; `details.skills` lists those it may.',
    fix: 'Use another key, pay in another way, or ask whoever gave the key to allow the skill.',
  },
  account_closed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning:
      'The account of the API key is closed; an operator who moves credits is told so by 409.',
    fix: 'Use a key of another account.',
  },
  // The ledger.
  ledger_unavailable: {
    code: 'INTERNAL_ERROR',
    status: 503,
    meaning: 'The ledger cannot be reached, or a charge could not be confirmed and is given back.',
    fix: 'Send the same request again after `Retry-After`.',
  },
  hold_ended: {
    code: 'TIMEOUT',
    meaning: 'The hold on the balance ended (`details.state`) before the work did.',
    fix: 'Call again; nothing was charged.',
  },
  bought_credits: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The payment to be refunded bought credits, and they were given.',
    fix: 'Nothing: nothing is owed.',
  },
  // Operation.
  stale: {
    code: 'INVALID_INPUT',
    status: 412,
    meaning: '`If-Match` names another version than `details.active`.',
    fix: 'Read the product again and apply the change to its active version.',
  },
  // Work on documents in a child process.
  timeout: {
    code: 'TIMEOUT',
    meaning: 'The work, or the site that it needs, took longer than allowed.',
    fix: 'Try again later, or with a smaller input.',
  },
  memory: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The document needs more memory than a job may use.',
    fix: 'Send a smaller or simpler document.',
  },
  crashed: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The document broke the process that reads it.',
    fix: 'Send another document; the same one fails again.',
  },
  overloaded: {
    code: 'PROCESSING_FAILURE',
    retryable: true,
    meaning: 'The queue of the document workers is full.',
    fix: 'Try again after `Retry-After`.',
  },
  stopped: {
    code: 'PROCESSING_FAILURE',
    retryable: true,
    meaning: 'The gateway is shutting down.',
    fix: 'Try again after `Retry-After`.',
  },
  // Outbound requests.
  ssrf: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The target address is private, local or otherwise not allowed.',
    fix: 'Take another address; this one is refused however it is written.',
  },
  robots: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: "The site's robots.txt does not allow the address.",
    fix: 'Take another address, or ask the site.',
  },
  dns: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The name of the site or upstream does not resolve.',
    fix: 'Check the name, or try again later.',
  },
  connect: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The site or upstream could not be reached.',
    fix: 'Try again later.',
  },
  tls: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'No secure connection to the site or upstream could be made.',
    fix: 'Try again later; its certificate may be wrong.',
  },
  protocol: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The site or upstream did not speak valid HTTP.',
    fix: 'Try again later.',
  },
  too_many_redirects: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The site redirects too often.',
    fix: 'Use the address that the redirects lead to.',
  },
})
