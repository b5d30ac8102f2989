/** What `details.reason` of the console's own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  session_ended: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: "The console's session is over.",
    fix: 'Sign in again.',
  },
  link_ended: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The sign-in link was used before, or is older than ten minutes.',
    fix: 'Make another one: `coinop console link`.',
  },
  not_of_console: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The token is of an operator whom the console does not know, or was revoked just now.',
    fix: 'Sign in with a token that `coinop admin add` made; of a new one, try again in a second.',
  },
  name_taken: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'Another operator has this name.',
    fix: 'Choose another name, or revoke the other one first.',
  },
  last_owner: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The way in is the only one that the account has.',
    fix: 'Close the account, or add another way in first.',
  },
  not_same_origin: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: "Only the console's own page may ask its routes.",
    fix: 'Use the admin routes with the admin token; behind a proxy that changes Host, set `PUBLIC_URL`.',
  },
})
