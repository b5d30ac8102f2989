/** The product spec: the closed schema of what an operator writes. */
import { HEADER_NAME_PATTERN, PRODUCT_ID_PATTERN, ROUTE_SEGMENT_PATTERN } from '#kernel'
import { Type, type Static, type TSchema } from 'typebox'
import { PriceDocument } from './price-document.ts'

const SKILL_ID = '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9_]*)+$'
const TOOL_NAME = '^[a-z][a-z0-9_]*([.-][a-z0-9_]+)*$'
const BASE_PATH = '^(/[A-Za-z0-9][A-Za-z0-9._~-]*)+$'
/** A slash at the end is part of the path: many frameworks serve `/items/` and redirect `/items`. */
export const ROUTE = `^(GET|POST|PUT|PATCH|DELETE|ANY) /(${ROUTE_SEGMENT_PATTERN}(/${ROUTE_SEGMENT_PATTERN})*(/|/?\\*)?|\\*)?$`
const DURATION = '^\\d{1,9} ?(ms|s|m|h)$'
const SIZE = '^\\d{1,9} ?(B|kB|KB|MB|KiB|MiB|GiB)$'
const PLUGIN_ID = '^[a-z][a-z0-9_-]{0,39}$'
const VARIABLE = '^[A-Za-z_][A-Za-z0-9_]*$'

const closed = { additionalProperties: false }
const object = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { ...closed, ...(description !== undefined && { description }) })
const text = (maxLength: number, description: string, pattern?: string) =>
  Type.String({ minLength: 1, maxLength, description, ...(pattern !== undefined && { pattern }) })
const duration = (description: string) => Type.String({ pattern: DURATION, description })
const free = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description })
const railIds = Type.Array(text(40, 'Id of a rail'), {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: 'Rails that may pay; default: every rail that is mounted',
})

const Limits = object(
  {
    body: Type.Optional(Type.String({ pattern: SIZE, description: 'Largest body; default 1MiB' })),
    timeout: Type.Optional(duration('Longest run; default 30s')),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Calls at once, a streamed one until its first byte; default 64',
      }),
    ),
  },
  'Limits of one skill',
)
const Annotations = object({
  readOnlyHint: Type.Optional(Type.Boolean()),
  destructiveHint: Type.Optional(Type.Boolean()),
  idempotentHint: Type.Optional(Type.Boolean()),
  openWorldHint: Type.Optional(Type.Boolean()),
})
const Skill = object({
  skill: Type.Optional(text(120, 'Id of a skill of the plugin', SKILL_ID)),
  id: Type.Optional(text(120, 'Id of a skill that this spec makes', SKILL_ID)),
  route: Type.Optional(
    text(
      300,
      'Method and path below base_path: "POST /extract/{id}"; "/*" at the end takes all',
      ROUTE,
    ),
  ),
  tool: Type.Optional(text(120, 'MCP tool name', TOOL_NAME)),
  tools: Type.Optional(
    Type.Array(text(120, 'MCP tool name', TOOL_NAME), { maxItems: 20, uniqueItems: true }),
  ),
  tool_inputs: Type.Optional(
    Type.Record(Type.String(), free('JSON Schema, an object at the root'), {
      description: 'Tool name → an input narrower than `input`, which is checked as well',
    }),
  ),
  title: Type.Optional(text(200, 'Title for people')),
  description: Type.Optional(text(4000, 'What it does')),
  price: Type.Optional(PriceDocument),
  rails: Type.Optional(railIds),
  limits: Type.Optional(Limits),
  metered: Type.Optional(Type.Boolean({ description: 'Default: as the product' })),
  input: Type.Optional(free('JSON Schema of the input, an object at the root')),
  output: Type.Optional(free('JSON Schema of the output')),
  annotations: Type.Optional(Annotations),
  example: Type.Optional(
    object({ input: Type.Unsafe<unknown>({}), output: Type.Optional(Type.Unsafe<unknown>({})) }),
  ),
})
const Upstream = object(
  {
    url: text(2000, 'http(s) base URL; calls never leave its path'),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: HEADER_NAME_PATTERN }), Type.String({ maxLength: 8192 }), {
        ...closed,
        description: 'Headers added to each request; secrets as ${ENV}',
      }),
    ),
    query: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{1,200}$' }), Type.String({ maxLength: 8192 }), {
        ...closed,
        description:
          "Members added to each request's query in place of the caller's of the same names; secrets as ${ENV}",
      }),
    ),
    timeout: Type.Optional(duration('Longest silence of the upstream; default 30s')),
    circuit_breaker: Type.Optional(
      object({
        failures: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
        reset: Type.Optional(duration('How long it stays open; default 30s')),
      }),
    ),
    allow_private: Type.Optional(
      Type.Boolean({ description: 'Allows private addresses; default false' }),
    ),
    forward_headers: Type.Optional(
      Type.Array(text(100, "Caller's header that is passed on", HEADER_NAME_PATTERN), {
        maxItems: 100,
      }),
    ),
    pass_headers: Type.Optional(
      Type.Array(text(100, "Upstream's header that is not withheld", HEADER_NAME_PATTERN), {
        maxItems: 100,
        description:
          'Headers that speak for the whole origin of the gateway (Set-Cookie, WWW-Authenticate) and pass all the same',
      }),
    ),
    service_token: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'Sent as X-Kernel-Service-Token, so that a first-party upstream can bill',
      }),
    ),
  },
  'Any HTTP API; the proxy plugin calls it',
)

/** What an operator writes, one YAML document or JSON object per product. */
export const ProductDocument = Type.Object(
  {
    product_id: text(40, 'Lower-case letters, digits and dashes', PRODUCT_ID_PATTERN),
    only_with: Type.Optional(
      text(
        100,
        'Environment variable without which this document does not count: left out of a file, refused by PUT',
        VARIABLE,
      ),
    ),
    only_without: Type.Optional(
      text(
        100,
        'Environment variable with which this document does not count: left out of a file, refused by PUT',
        VARIABLE,
      ),
    ),
    title: Type.Optional(text(200, 'Title for people; default: the id')),
    description: Type.Optional(text(4000, 'What it sells')),
    base_path: Type.Optional(text(200, 'Where it is mounted; default /v1/{product_id}', BASE_PATH)),
    path_rewrite: Type.Optional(
      Type.Enum(['strip', 'preserve'], {
        description: 'Whether the upstream sees paths without base_path (default) or with it',
      }),
    ),
    plugin: Type.Optional(text(40, 'Id of the plugin; not beside upstream', PLUGIN_ID)),
    upstream: Type.Optional(Upstream),
    config: Type.Optional(free("The plugin's configuration; ${ENV} is resolved")),
    metered: Type.Optional(Type.Boolean({ description: 'Default true' })),
    visibility: Type.Optional(
      Type.Enum(['public', 'unlisted', 'private'], {
        description:
          'unlisted: served, but in no list of products, tools or routes; private: unlisted, and every call, free ones too, needs an API key, which also shows its prices in /v1/prices',
      }),
    ),
    rails: Type.Optional(railIds),
    limits: Type.Optional(Limits),
    skills: Type.Optional(Type.Array(Skill, { maxItems: 500 })),
  },
  closed,
)
export type ProductDocument = Static<typeof ProductDocument>
export type SkillDocument = NonNullable<ProductDocument['skills']>[number]

/** The JSON Schema of a product spec for editors, as specs/product.schema.json holds it. */
export function productJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Coinop product spec',
    ...(JSON.parse(JSON.stringify(ProductDocument)) as object),
  }
}
