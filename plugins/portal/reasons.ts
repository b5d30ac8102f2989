/** What `details.reason` of the portal's own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  not_signed_in: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'Nobody is signed in at the account pages, or the session has ended.',
    fix: 'Sign in at `/account/sign-in`; programs use the routes that take a key.',
  },
  foreign_page: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning:
      'Only the account pages themselves may ask this: another page did, or the form is old.',
    fix: 'Reload the page at the address of `PUBLIC_URL` and try again.',
  },
  wrong_proof: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The proof of a sign-in does not hold.',
    fix: 'Begin the sign-in again; the message names the field that disagrees.',
  },
  not_an_owner: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The session was opened with a key that has a budget or was made by an owner.',
    fix: 'Sign in as an owner of the account: by wallet, e-mail, passkey or a key of the operator.',
  },
  sign_in_taken: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'This wallet, e-mail address or passkey leads to another account.',
    fix: 'Sign in with it and use that account, or take it away from there first.',
  },
  last_sign_in: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'It is the only way into the account that is left.',
    fix: 'Add another sign-in first.',
  },
})
