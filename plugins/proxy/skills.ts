/** Makes one skill of each entry of the spec: an upstream product needs no code. */
import { Type } from 'typebox'
import {
  isObject,
  type Annotations,
  type ProductSpec,
  type RouteSpec,
  type Skill,
  type SkillSpec,
  type SkillTool,
} from '#kernel'
import { forwarder, type Proxy } from './forward.ts'
import { toolHandler } from './tool.ts'
import {
  bodyType,
  bodyValueSchema,
  FORM_BODY,
  isInHeader,
  isInQuery,
  isJsonType,
  JSON_BODY,
  membersOf,
  namesInPath,
  NO_BODY,
  STYLES,
  WHOLE_BODY,
} from '../shared/documents/request-places.ts'

/** Time beyond the upstream's own limit, so that its failure is told and not the skill's deadline. */
const MARGIN_MS = 5000
const LONGEST_MS = 240_000

/** The skills of a product; throws with what an operator must change. */
export function skillsOf(spec: ProductSpec, proxy: Proxy, silenceMs: number): Skill[] {
  return spec.skills.map((entry) => {
    const { route } = entry
    if (route === null) throw new Error(`skill ${entry.id} has no route of the upstream`)
    const isOpen = route.method === 'ANY' || route.path.endsWith('*')
    const tools = entry.tools ?? []
    if (isOpen && tools.length > 0)
      throw new Error(
        `skill ${entry.id} is a tool at ${route.method} ${route.path}: a tool needs one method and one path`,
      )
    checkPlaces(entry, tools, proxy.rules.allowed)
    return {
      id: entry.id,
      tools: tools.map((name) => toolOf(entry, route, name)),
      title: entry.title ?? `${spec.title}: ${route.method} ${route.path}`,
      description: entry.description ?? (spec.description || `${spec.title} over HTTP`),
      input: Type.Unsafe(inputSchema(entry, route)),
      output: Type.Unsafe(entry.output ?? {}),
      annotations: annotationsOf(entry, route),
      ...(entry.example && { example: entry.example }),
      limits: { timeoutMs: Math.min(LONGEST_MS, silenceMs + MARGIN_MS) },
      forward: forwarder(proxy, entry.metered, isReadInJson(entry)),
      checksForward: entry.input !== null && !hasUnread(entry),
      passHeaders: spec.upstream?.passHeaders ?? [],
      handler: toolHandler(proxy, route, entry),
    }
  })
}

/** Throws where the input names a style that does not exist, a header that does not pass, or a body that no tool can send. */
function checkPlaces(
  { id, input }: SkillSpec,
  tools: readonly string[],
  headers: ReadonlySet<string>,
): void {
  for (const [name, member] of Object.entries(membersOf(input))) {
    if (isInHeader(member) && !headers.has(name.toLowerCase()))
      throw new Error(
        `skill ${id}: its input has the header ${name}, which upstream.forward_headers must name too`,
      )
    const style = (member as { 'x-style'?: unknown } | null)?.['x-style']
    if (style !== undefined && !STYLES.some((known) => known === style))
      throw new Error(
        `skill ${id}: the x-style of ${name} is ${JSON.stringify(style)}, and must be one of ${STYLES.join(', ')}`,
      )
  }
  const type = bodyType(input)
  if (tools.length > 0 && type !== FORM_BODY && type !== NO_BODY && !isJsonType(type))
    throw new Error(
      `skill ${id} is a tool and its x-body is ${type}: a tool sends ${JSON_BODY} or ${FORM_BODY}`,
    )
  if (tools.length > 0 && bodyValueSchema(input) && Object.hasOwn(membersOf(input), WHOLE_BODY))
    throw new Error(
      `skill ${id} is a tool and has the member ${WHOLE_BODY} beside x-body-schema: tools have the whole body there`,
    )
}

/**
 * Whether the check of the body cannot read what stands beside it: it knows texts and repeated ones of
 * the query, and no headers.
 */
function hasUnread({ input }: SkillSpec): boolean {
  const required = input?.['required'] ?? []
  return Object.entries(membersOf(input)).some(([name, member]) =>
    isInHeader(member)
      ? (required as readonly string[]).includes(name)
      : isInQuery(member) && !isReadInQuery(member),
  )
}

function isReadInQuery(member: unknown): boolean {
  const {
    type,
    items,
    'x-style': style,
  } = member as {
    type?: unknown
    items?: { type?: unknown }
    'x-style'?: unknown
  }
  if (style !== undefined) return false
  const isList = type === 'array'
  return (isList && items === undefined) || PLAIN_TYPES.has(String(isList ? items?.type : type))
}

const PLAIN_TYPES = new Set(['string', 'integer', 'number', 'boolean'])

function isReadInJson({ price }: SkillSpec): boolean {
  return price.per.some(({ source }) => source.kind === 'pointer')
}

function toolOf(entry: SkillSpec, route: RouteSpec, name: string): SkillTool {
  const { toolInputs, input, example } = entry
  const own = Object.hasOwn(toolInputs, name) ? toolInputs[name]! : null
  const body = bodyValueSchema(input)
  if (own !== null || body === null)
    return { name, ...(own !== null && { input: Type.Unsafe(own) }) }
  const { 'x-body-schema': _, properties, required, ...rest } = inputSchema(entry, route)
  const others = isObject(example?.input) ? example.input : {}
  return {
    name,
    input: Type.Unsafe({
      ...rest,
      properties: { ...properties, [WHOLE_BODY]: body },
      required: [...required, WHOLE_BODY],
    }),
    ...('example' in body && { example: { input: { ...others, [WHOLE_BODY]: body['example'] } } }),
  }
}

/** The entry's own schema, with the path parameters that it leaves out. */
function inputSchema(
  { input }: SkillSpec,
  route: RouteSpec,
): Record<string, unknown> & { properties: Record<string, unknown>; required: string[] } {
  const names = namesInPath(route.path)
  const own = (input?.['properties'] ?? {}) as Record<string, unknown>
  const required = (input?.['required'] ?? []) as readonly string[]
  return {
    type: 'object',
    ...input,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
      ...own,
    },
    required: [...new Set([...names, ...required])],
  }
}

/** What HTTP says of the method (RFC 9110 section 9.2), unless the operator knows better. */
function annotationsOf({ annotations }: SkillSpec, { method }: RouteSpec): Annotations {
  const isSafe = method === 'GET'
  return {
    readOnlyHint: isSafe,
    destructiveHint: !isSafe,
    idempotentHint: isSafe || method === 'PUT' || method === 'DELETE',
    openWorldHint: true,
    ...annotations,
  }
}
