/** The way back from a signed text to its members, to hold it against what others write and read. */
import {
  HEADINGS,
  RESOURCES,
  signInText,
  type SignInMessage,
} from '../../plugins/shared/signing/sign-in-message.ts'

const MAX_CHARACTERS = 8192

/**
 * The members of a signed text; null unless `signInText` makes the very same text of them, so that
 * what is checked is what was signed.
 */
export function readSignInText(text: string): SignInMessage | null {
  if (text.length > MAX_CHARACTERS) return null
  const lines = text.split('\n')
  const first = lines.shift() ?? ''
  const namespace = first.endsWith(HEADINGS.eip155) ? 'eip155' : 'solana'
  const [address = '', , ...rest] = lines
  const statement = rest[0] !== '' && rest[1] === '' ? (rest.shift() ?? null) : null
  if (rest[0] === '') rest.shift()
  const next = (label: string): string | null => {
    if (!rest[0]?.startsWith(label)) return null
    return rest.shift()!.slice(label.length)
  }
  const message: SignInMessage = {
    namespace,
    domain: first.slice(0, -HEADINGS[namespace].length),
    address,
    statement,
    uri: next('URI: ') ?? '',
    version: next('Version: ') ?? '',
    chainReference: next('Chain ID: ') ?? '',
    nonce: next('Nonce: ') ?? '',
    issuedAt: next('Issued At: ') ?? '',
    expirationTime: next('Expiration Time: '),
    notBefore: next('Not Before: '),
    requestId: next('Request ID: '),
    resources: next(RESOURCES) === null ? [] : rest.map((line) => line.slice('- '.length)),
  }
  return signInText(message) === text ? message : null
}
