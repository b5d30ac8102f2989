/** What the admin routes take, and the checks that a schema cannot say. */
import { HEADER_NAME_PATTERN, signingSecretProblem, withheldHeaders, type Issue } from '#kernel'
import { Type, type Static } from 'typebox'
import { PLAIN_NAME } from '../../shared/plain-name.ts'
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_TIMEOUT_MS } from '../config.ts'
import { ALGORITHMS, SCHEMES, type SchemeName } from '../verify/contract.ts'

const MAX_GRACE_S = 7 * 86_400

const Name = Type.String({ minLength: 1, maxLength: 128, pattern: PLAIN_NAME })
const Secret = Type.String({ minLength: 1, maxLength: 512, pattern: '^[\\x20-\\x7e]+$' })
const HeaderName = Type.String({ maxLength: 100, pattern: HEADER_NAME_PATTERN })
const Events = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', minLength: 1, maxLength: 200 },
  minItems: 1,
  maxItems: 100,
  description: 'Event names it gets (`order.*` is a prefix); null or absent: all',
})

export const VerificationInput = Type.Object(
  {
    scheme: Type.Enum([...SCHEMES]),
    secret: Type.Optional(Secret),
    header: Type.Optional(HeaderName),
    algorithm: Type.Optional(
      Type.Enum([...ALGORITHMS], { description: 'Of the hmac scheme; default sha256' }),
    ),
  },
  { additionalProperties: false },
)
const destinationFields = {
  headers: Type.Optional(
    Type.Record(HeaderName, Type.String({ maxLength: 4096, pattern: '^[\\x20-\\x7e]*$' }), {
      maxProperties: 20,
      // A name that is none of a header would be let through with any value.
      additionalProperties: false,
      description: 'Sent with each request; kept sealed',
    }),
  ),
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  events: Type.Optional(Events),
  status: Type.Optional(Type.Enum(['enabled', 'disabled'])),
}
const Url = Type.String({ minLength: 1, maxLength: 2000, pattern: '^[^\\x00-\\x20\\x7f]+$' })
export const DestinationInput = Type.Object(
  { url: Url, ...destinationFields },
  { additionalProperties: false },
)
export const DestinationPatch = Type.Object(
  { url: Type.Optional(Url), ...destinationFields },
  { additionalProperties: false, minProperties: 1 },
)
const endpointFields = {
  apiKeyId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 100,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The owner: pays for what signed senders send, and may replay',
    }),
  ),
  maxAttempts: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: `Default ${DEFAULT_MAX_ATTEMPTS}` }),
  ),
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 30_000, description: `Default ${DEFAULT_TIMEOUT_MS}` }),
  ),
  status: Type.Optional(Type.Enum(['enabled', 'disabled'])),
}
export const EndpointInput = Type.Object(
  {
    name: Name,
    verification: VerificationInput,
    destinations: Type.Optional(Type.Array(DestinationInput, { maxItems: 20 })),
    ...endpointFields,
  },
  { additionalProperties: false },
)
export const EndpointPatch = Type.Object(
  {
    name: Type.Optional(Name),
    verification: Type.Optional(VerificationInput),
    destinations: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.Optional(Type.String({ maxLength: 100 })), url: Url, ...destinationFields },
          { additionalProperties: false },
        ),
        { maxItems: 20, description: 'The whole new list; known by id or URL, others are removed' },
      ),
    ),
    ...endpointFields,
  },
  { additionalProperties: false, minProperties: 1 },
)
export const RotateInput = Type.Object(
  {
    secret: Type.Optional(Secret),
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_S,
        description: 'How long the secret before this one counts too; default one day',
      }),
    ),
  },
  { additionalProperties: false },
)
export const GRACE_DEFAULT_S = 86_400
export const MAX_DESTINATIONS = 20

export type VerificationInput = Static<typeof VerificationInput>
export type DestinationInput = Static<typeof DestinationInput>
export type DestinationPatch = Static<typeof DestinationPatch>
export type EndpointInput = Static<typeof EndpointInput>
export type EndpointPatch = Static<typeof EndpointPatch>

/** Schemes whose secret we may make: both sides choose it. The others' comes from the provider. */
const OURS_TO_MAKE: ReadonlySet<SchemeName> = new Set([
  'standard-webhooks',
  'github',
  'hmac',
  'shared-secret',
])
const HEADER_IS_CONFIGURED: ReadonlySet<SchemeName> = new Set(['hmac', 'shared-secret'])
const MIN_SECRET_CHARACTERS = 8
/** Set by the relay or by the connection itself. */
const RESERVED_HEADER =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|webhook-(id|timestamp|signature)|x-webhook-(delivery-id|attempt))$/i

/** Whether a missing secret is made by us and shown once. */
export function makesSecret(scheme: SchemeName): boolean {
  return OURS_TO_MAKE.has(scheme)
}

/** What is wrong with a verification; `needsSecret` false when the scheme's secret is kept. */
export function verificationIssues(given: VerificationInput, needsSecret: boolean): Issue[] {
  const issues: Issue[] = []
  const issue = (field: string, message: string) =>
    issues.push({ path: `/verification/${field}`, message })
  const { scheme, secret, header, algorithm } = given
  if (scheme === 'none' && secret !== undefined) issue('secret', 'is not used by scheme none')
  if (scheme !== 'none' && secret === undefined && needsSecret && !makesSecret(scheme)) {
    issue('secret', `is required: it is the one that ${scheme} shows you`)
  }
  if (secret !== undefined && secret.replaceAll(' ', '').length < MIN_SECRET_CHARACTERS) {
    issue('secret', `must have at least ${MIN_SECRET_CHARACTERS} characters that are not blanks`)
  } else if (secret?.startsWith('whsec_') && scheme === 'standard-webhooks') {
    // Its characters are many; the key that they spell may be a byte, or none at all.
    const problem = signingSecretProblem(secret)
    if (problem !== null) issue('secret', problem)
  }
  if (header !== undefined && !HEADER_IS_CONFIGURED.has(scheme)) {
    issue('header', `is fixed by scheme ${scheme}`)
  }
  if (header !== undefined && withheldHeaders().has(header.toLowerCase())) {
    issue('header', 'is a credential or connection header, which no skill gets to see')
  }
  if (algorithm !== undefined && scheme !== 'hmac') issue('algorithm', 'is for scheme hmac only')
  return issues
}

/** What is wrong with a destination's own headers and secret. */
export function destinationIssues(given: DestinationPatch, at: string): Issue[] {
  const issues: Issue[] = []
  for (const name of Object.keys(given.headers ?? {})) {
    if (RESERVED_HEADER.test(name)) {
      issues.push({ path: `${at}/headers/${name}`, message: 'is set by the relay itself' })
    }
  }
  for (const [index, event] of (given.events ?? []).entries()) {
    if (!isKeepable(event))
      issues.push({
        path: `${at}/events/${index}`,
        message: 'holds what is no character of a name',
      })
  }
  const problem = given.secret === undefined ? null : signingSecretProblem(given.secret)
  if (problem !== null) issues.push({ path: `${at}/secret`, message: problem })
  return issues
}

/** PostgreSQL keeps neither U+0000 nor half a surrogate pair in JSON. */
function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
