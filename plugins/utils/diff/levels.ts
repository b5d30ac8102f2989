/**
 * The severity law: a request may only widen and a response may only narrow; what cannot be
 * decided is a warning. Exceptions are those of oasdiff (checker/rules.go), by check id.
 */
import type { Direction, Effect, Level } from './types.ts'

const EXCEPTIONS: Readonly<Record<string, Level>> = {
  // The client may no longer convey what it used to, or may rely on what it no longer gets.
  'request-body-removed': 'breaking',
  'request-property-removed': 'warning',
  'request-parameter-property-removed': 'warning',
  'response-optional-property-removed': 'warning',
  'optional-response-header-removed': 'warning',
  // An unchanged request now means something else.
  'request-parameter-default-value-added': 'breaking',
  'request-parameter-default-value-changed': 'breaking',
  'request-parameter-default-value-removed': 'breaking',
  // Value sets are often meant to grow; a client may still not know the new one.
  'response-property-enum-value-added': 'warning',
  'response-body-enum-value-added': 'warning',
  'response-header-enum-value-added': 'warning',
  // How an object travels in a parameter decides whether the change can be seen.
  'request-parameter-property-type-changed': 'warning',
  'response-required-property-became-not-write-only': 'warning',
}

/** The level of a change by what it does and which way the value travels. */
export function levelOf(id: string, effect: Effect, direction: Direction): Level {
  const exception = EXCEPTIONS[id]
  if (exception) return exception
  switch (effect) {
    case 'none':
      return 'info'
    case 'unknown':
      return 'warning'
    case 'incomparable':
      return 'breaking'
    case 'narrows':
      return direction === 'request' ? 'breaking' : 'info'
    case 'widens':
      return direction === 'request' ? 'info' : 'breaking'
  }
}
