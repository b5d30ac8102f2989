/**
 * The OpenAPI 3.1 description: the kernel's routes, the routes of plugins and every listed skill
 * with its price (`x-payment-info`, as x402 crawlers read it) and its 402. Made per snapshot.
 */
import type { CatalogSnapshot, MountedSkill } from '../metering/contract.ts'
import { formatUsd } from '../money.ts'
import type { Route } from '../plugins/contract.ts'
import { isOnePlace, listedSkills } from '../products/visibility.ts'

export interface OpenApiFacts {
  publicUrl: string
  version: string
  contactEmail: string
}
type Json = Record<string, unknown>

const ERROR_REF = { $ref: '#/components/schemas/Error' }
const errorAnswer = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: ERROR_REF } },
})

/** The whole document for the given kernel routes, plugin routes and snapshot. */
export function openApiOf(
  facts: OpenApiFacts,
  routes: readonly Route[],
  snapshot: CatalogSnapshot,
): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) place(paths, route.path, route.method, routeOperation(route))
  for (const mounted of listedSkills(snapshot)) {
    if (mounted.route && isOnePlace(mounted.route))
      place(paths, mounted.route.path, mounted.route.method, skillOperation(mounted))
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coinop',
      version: facts.version,
      summary: 'Machine work sold one call at a time.',
      description:
        'Pay each call with prepaid credits (X-Api-Key) or x402 (USDC). 1 credit = USD 0.01.',
      contact: { email: facts.contactEmail },
      'x-guidance':
        'Call a paid route; on 402 pay one of `accepts` and retry with PAYMENT-SIGNATURE, or send X-Api-Key. Failed work is never charged.',
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${facts.publicUrl}/llms.txt` },
    servers: [{ url: facts.publicUrl }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { Error: ERROR_SCHEMA, PaymentRequired: PAYMENT_REQUIRED_SCHEMA },
      securitySchemes: SECURITY,
    },
  }
}

function place(paths: Record<string, Json>, path: string, method: string, operation: Json): void {
  paths[path] ??= {}
  paths[path][method.toLowerCase()] = operation
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function operationId(method: string, path: string): string {
  const words = path
    .replaceAll(/[{}.]/g, ' ')
    .split(/[/ _-]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function routeOperation(route: Route): Json {
  const security = { public: [], key: [{ apiKey: [] }, { bearer: [] }], admin: [{ bearer: [] }] }[
    route.auth
  ]
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    tags: [route.tag ?? 'Other'],
    security,
    ...withParameters(pathParameters(route.path)),
    ...(route.input && {
      requestBody: { required: true, content: { 'application/json': { schema: route.input } } },
    }),
    responses: {
      200: {
        description: 'Done',
        ...(route.output && { content: { 'application/json': { schema: route.output } } }),
      },
      400: errorAnswer('The input is wrong: `details.issues` names each field'),
      ...(route.auth !== 'public' && { 401: errorAnswer('The credential is missing or wrong') }),
      500: errorAnswer('The gateway failed'),
    },
  }
}

function skillOperation(mounted: MountedSkill): Json {
  const { skill, route, metered, amountAtomic, product } = mounted
  const { method, path } = route!
  const usesBody = method !== 'GET' && method !== 'DELETE'
  const properties = skill.input as { properties?: Record<string, unknown>; required?: string[] }
  const inPath = new Set([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]))
  const query = usesBody
    ? []
    : Object.entries(properties.properties ?? {})
        .filter(([name]) => !inPath.has(name))
        .map(([name, schema]) => ({
          name,
          in: 'query',
          required: properties.required?.includes(name) ?? false,
          schema,
        }))
  const example = skill.example?.input
  return {
    operationId: skill.id.replaceAll('.', '_'),
    summary: skill.title,
    description: skill.description,
    tags: [product.title],
    security: metered ? [{ apiKey: [] }, { bearer: [] }, { x402: [] }] : [],
    ...withParameters([...pathParameters(path), ...query]),
    ...(usesBody && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: skill.input, ...(example !== undefined && { example }) },
        },
      },
    }),
    ...(metered && {
      'x-payment-info': {
        price: { mode: 'fixed', currency: 'USD', amount: formatUsd(amountAtomic) },
        protocols: mounted.rails.includes('x402') ? [{ x402: {} }] : [],
        amountUsdcAtomic: amountAtomic.toString(),
      },
    }),
    responses: {
      200: { description: 'The result', content: { 'application/json': { schema: skill.output } } },
      400: errorAnswer('The input is wrong; not charged'),
      ...(metered && {
        401: errorAnswer('The API key is wrong or revoked'),
        402: {
          description: 'Payment required: the offers of every open rail',
          headers: {
            'PAYMENT-REQUIRED': {
              description: 'x402 version 2 challenge, base64 JSON',
              schema: { type: 'string' },
            },
          },
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } },
          },
        },
        403: errorAnswer('The target is refused (SSRF or robots rules); not charged'),
      }),
      429: errorAnswer('Too many calls, or the daily spend ceiling is reached'),
      503: errorAnswer('The work failed or timed out; not charged'),
    },
  }
}

function withParameters(parameters: Json[]): Json {
  return parameters.length > 0 ? { parameters } : {}
}

const SECURITY = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A prepaid API key (ck_live_… or ck_test_…)',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The admin token on admin routes; an API key or its JWT elsewhere',
  },
  x402: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description: 'An x402 version 2 payment, base64 JSON',
  },
  serviceToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Kernel-Service-Token',
    description: 'A first-party service, with X-Kernel-Api-Key-Id',
  },
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'retryable', 'requestId'],
      properties: {
        code: {
          type: 'string',
          enum: [
            'INVALID_INPUT',
            'UNSUPPORTED_FORMAT',
            'PAYMENT_REQUIRED',
            'PAYMENT_FAILED',
            'RATE_LIMITED',
            'UPSTREAM_FAILURE',
            'PROCESSING_FAILURE',
            'TIMEOUT',
            'INTERNAL_ERROR',
          ],
        },
        message: { type: 'string' },
        retryable: {
          type: 'boolean',
          description: 'The same request, unchanged, may succeed later',
        },
        requestId: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
}

const PAYMENT_REQUIRED_SCHEMA = {
  allOf: [
    ERROR_REF,
    {
      type: 'object',
      properties: {
        x402Version: { type: 'integer' },
        accepts: { type: 'array', items: { type: 'object' } },
        prepaid: { type: 'object' },
      },
    },
  ],
}
