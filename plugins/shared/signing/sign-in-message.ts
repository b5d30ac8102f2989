/**
 * The text that a wallet signs to sign in: EIP-4361 (Sign-In with Ethereum), and the same layout with
 * Solana's heading (CAIP-122). One member is one line, so nothing with a line break in it is
 * written: whoever chooses a statement could else forge the lines below it.
 */

/** The members of a message; null or empty: its line is not there. */
export interface SignInMessage {
  namespace: 'eip155' | 'solana'
  /** Host, with the port where it is not that of the scheme. */
  domain: string
  /** As the text has it: an EVM address in EIP-55, a key in base58. */
  address: string
  statement: string | null
  uri: string
  version: string
  /** The part of the CAIP-2 id behind the colon: decimal of an EVM chain. */
  chainReference: string
  nonce: string
  /** RFC 3339, like the two below. */
  issuedAt: string
  expirationTime: string | null
  notBefore: string | null
  requestId: string | null
  resources: readonly string[]
}

/** The first line's end. */
export const HEADINGS = {
  eip155: ' wants you to sign in with your Ethereum account:',
  solana: ' wants you to sign in with your Solana account:',
} as const
export const RESOURCES = 'Resources:'
/** Printable ASCII, which is all that EIP-4361 has in any of its lines. */
const PRINTABLE = /^[\x20-\x7e]+$/
const MAX_RESOURCES = 16

/** The text to sign; null when a member is empty or holds what a line cannot. */
export function signInText(message: SignInMessage): string | null {
  const { domain, address, statement, uri, version, chainReference, nonce, issuedAt } = message
  const { expirationTime, notBefore, requestId, resources } = message
  const given = [domain, address, uri, version, chainReference, nonce, issuedAt, ...resources]
  const optional = [statement, expirationTime, notBefore, requestId].filter((one) => one !== null)
  if (![...given, ...optional].every((member) => PRINTABLE.test(member))) return null
  if (resources.length > MAX_RESOURCES) return null
  return [
    `${domain}${HEADINGS[message.namespace]}`,
    address,
    '',
    ...statementLines(message),
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainReference}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...(expirationTime === null ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === null ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === null ? [] : [`Request ID: ${requestId}`]),
    ...(resources.length === 0 ? [] : [RESOURCES, ...resources.map((one) => `- ${one}`)]),
  ].join('\n')
}

/** Without a statement EIP-4361 keeps the empty line of its place, and Solana's layout does not. */
function statementLines({ namespace, statement }: SignInMessage): string[] {
  if (statement !== null) return [statement, '']
  return namespace === 'eip155' ? [''] : []
}
