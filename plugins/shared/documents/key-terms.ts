/** The end, networks, skills and notes of a key in JSON: read from a body, and shown. */
import {
  keyTermIssues,
  METADATA_MAX,
  METADATA_NAME,
  METADATA_TEXT_MAX,
  momentIn,
  NETWORKS_MAX,
  SKILLS_MAX,
  nullable,
  type Issue,
  type KeyMetadata,
  type KeyTerms,
} from '#kernel'
import { Type, type Static } from 'typebox'

/** RFC 3339 section 5.6, which is less than all that Date reads. */
const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$'

const EXPIRES = 'The key is refused from then on; null: never'
const NETWORKS =
  'Addresses and CIDRs that its requests must come from, as the gateway sees their client address; null: any'
const SKILLS =
  'Ids of the skills that it may buy, of the products that it may buy; null: all of them'
const METADATA = 'Notes, which the holder of the key sees too; they change nothing'

/** Members of a body that makes or changes a key. */
export const KEY_TERMS_INPUT = {
  expiresAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: DATE_TIME,
      description: `${EXPIRES}. RFC 3339, such as 2027-01-31T00:00:00Z`,
    }),
  ),
  networks: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: 49 },
      uniqueItems: true,
      minItems: 1,
      maxItems: NETWORKS_MAX,
      description: NETWORKS,
    }),
  ),
  skills: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: 120 },
      uniqueItems: true,
      maxItems: SKILLS_MAX,
      description: SKILLS,
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<KeyMetadata>({
      type: 'object',
      propertyNames: { pattern: METADATA_NAME },
      maxProperties: METADATA_MAX,
      additionalProperties: {
        anyOf: [
          { type: 'string', maxLength: METADATA_TEXT_MAX },
          { type: 'number' },
          { type: 'boolean' },
        ],
      },
      description: `${METADATA}. Replaces what was there`,
    }),
  ),
}
const Input = Type.Object(KEY_TERMS_INPUT)

/** Members of a key in an answer. */
export const KEY_TERMS_OUTPUT = {
  expiresAt: nullable('string', { format: 'date-time', description: EXPIRES }),
  networks: nullable('array', { items: { type: 'string' }, description: NETWORKS }),
  skills: nullable('array', { items: { type: 'string' }, description: SKILLS }),
  metadata: Type.Unsafe<KeyMetadata>({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: METADATA,
  }),
}

/** What a body says of them; members left out stay out, and what is wrong goes to `issues`. */
export function keyTermsIn(body: Static<typeof Input>, issues: Issue[]): Partial<KeyTerms> {
  const { expiresAt, networks, skills, metadata } = body
  const terms: Partial<KeyTerms> = {
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : momentIn(expiresAt) }),
    ...(networks !== undefined && { networks }),
    ...(skills !== undefined && { skills }),
    ...(metadata !== undefined && { metadata }),
  }
  issues.push(...keyTermIssues(terms))
  return terms
}

/** The members that KEY_TERMS_OUTPUT describes. */
export function keyTermsToJson({ expiresAt, networks, skills, metadata }: KeyTerms): KeyTerms {
  return { expiresAt, networks, skills, metadata }
}
