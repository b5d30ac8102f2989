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
import { asBase64 } from './tool-body.ts'
import { toolHandler } from './tool.ts'
import {
  bodyKind,
  bodyType,
  bodyValueSchema,
  isFile,
  isInHeader,
  isInQuery,
  membersOf,
  namesInPath,
  STYLES,
  WHOLE_BODY,
} from '../shared/documents/request-places.ts'

type Json = Record<string, unknown>

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
      checksForward: entry.input !== null && !isOneValue(entry) && !hasUnread(entry),
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
  if (tools.length > 0 && isOneValue({ input }) && !bodyValueSchema(input))
    throw new Error(
      `skill ${id} is a tool and its x-body is ${bodyType(input)}: what a tool sends there must be said by x-body-schema`,
    )
  if (tools.length > 0 && bodyValueSchema(input) && Object.hasOwn(membersOf(input), WHOLE_BODY))
    throw new Error(
      `skill ${id} is a tool and has the member ${WHOLE_BODY} beside x-body-schema: tools have the whole body there`,
    )
}

/** Whether the body is a text or a file. A text may begin like JSON: `{ user { name } }` of GraphQL. */
function isOneValue({ input }: Pick<SkillSpec, 'input'>): boolean {
  const kind = bodyKind(input)
  return kind === 'text' || kind === 'bytes'
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
  const { toolInputs, input } = entry
  if (Object.hasOwn(toolInputs, name)) return { name, input: Type.Unsafe(toolInputs[name]!) }
  const body = bodyValueSchema(input)
  if (body !== null) return wholeBodyTool(entry, route, name, body)
  const files = Object.entries(membersOf(input)).filter(([, member]) => isFile(member))
  if (bodyKind(input) !== 'multipart' || files.length === 0) return { name }
  const schema = inputSchema(entry, route)
  const sent = files.map(([member, file]) => [member, asBase64(file as Json)])
  const properties = { ...schema.properties, ...Object.fromEntries(sent) }
  return { name, input: Type.Unsafe({ ...schema, properties }) }
}

/** A tool with the whole body as one of its members. */
function wholeBodyTool(
  entry: SkillSpec,
  route: RouteSpec,
  name: string,
  body: Readonly<Json>,
): SkillTool {
  const { input, example } = entry
  const { 'x-body-schema': _, properties, required, ...rest } = inputSchema(entry, route)
  const others = isObject(example?.input) ? example.input : {}
  const whole = bodyKind(input) === 'bytes' ? asBase64(body) : body
  return {
    name,
    input: Type.Unsafe({
      ...rest,
      properties: { ...properties, [WHOLE_BODY]: whole },
      required: [...required, WHOLE_BODY],
    }),
    ...('example' in body && { example: { input: { ...others, [WHOLE_BODY]: body['example'] } } }),
  }
}

/** The entry's own schema, with the path parameters that it leaves out. */
function inputSchema(
  { input }: SkillSpec,
  route: RouteSpec,
): Json & { properties: Json; required: string[] } {
  const names = namesInPath(route.path)
  const own = (input?.['properties'] ?? {}) as Json
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
