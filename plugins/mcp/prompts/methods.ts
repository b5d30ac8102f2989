/** prompts/list, prompts/get and completions of prompt arguments. */
import type { ClientView, Failure, Prompt, PromptMessage } from '#kernel'
import { wantedBy, type Wanted } from '../input-required.ts'
import { CODE, isObject, ProtocolError, type Json } from '../protocol.ts'
import { membersOf } from '../reply.ts'

/** The most suggestions of one completion (MCP `server/utilities/completion`). */
const MAX_VALUES = 100

/**
 * JSON members of the prompts/get result, or the questions of a prompt that needs answers. Throws
 * −32602 for unknown names and missing arguments.
 */
export async function getPrompt(
  prompts: ReadonlyMap<string, Prompt>,
  params: Json | undefined,
  client: ClientView,
): Promise<string | Wanted> {
  const prompt = promptNamed(prompts, params?.['name'])
  const args = argumentsOf(params?.['arguments'])
  const missing = prompt.arguments.filter(({ name, required }) => required && !(name in args))
  if (missing.length > 0)
    throw new ProtocolError(
      CODE.invalidParams,
      `Invalid params: prompt ${prompt.name} needs ${missing.map(({ name }) => name).join(', ')}`,
    )
  const messages = await prompt.messages(args, client)
  if (isFailure(messages)) {
    const wanted = wantedBy(messages)
    if (wanted) return wanted
    throw new ProtocolError(CODE.invalidParams, messages.message)
  }
  return membersOf({ description: prompt.description, messages })
}

/** JSON members of the completion/complete result: the listed values that begin as typed. */
export function complete(prompts: ReadonlyMap<string, Prompt>, params: Json | undefined): string {
  const { ref, argument } = params ?? {}
  if (!isObject(argument) || typeof argument['name'] !== 'string')
    throw new ProtocolError(CODE.invalidParams, 'Invalid params: argument must have a name')
  const typed = typeof argument['value'] === 'string' ? argument['value'].toLowerCase() : ''
  const values = isObject(ref) ? valuesFor(prompts, ref, argument['name']) : []
  const matching = values.filter((value) => value.toLowerCase().startsWith(typed))
  return membersOf({
    completion: {
      values: matching.slice(0, MAX_VALUES),
      total: matching.length,
      hasMore: matching.length > MAX_VALUES,
    },
  })
}

function valuesFor(
  prompts: ReadonlyMap<string, Prompt>,
  ref: Json,
  argument: string,
): readonly string[] {
  if (ref['type'] !== 'ref/prompt') return []
  const prompt = promptNamed(prompts, ref['name'])
  return prompt.arguments.find(({ name }) => name === argument)?.values ?? []
}

function promptNamed(prompts: ReadonlyMap<string, Prompt>, name: unknown): Prompt {
  const prompt = typeof name === 'string' ? prompts.get(name) : undefined
  if (prompt) return prompt
  throw new ProtocolError(CODE.invalidParams, `Unknown prompt: ${String(name).slice(0, 128)}`)
}

function argumentsOf(value: unknown): Record<string, string> {
  if (value === undefined) return {}
  if (isObject(value) && Object.values(value).every((member) => typeof member === 'string'))
    return value as Record<string, string>
  throw new ProtocolError(
    CODE.invalidParams,
    'Invalid params: arguments must be an object of strings',
  )
}

function isFailure(value: readonly PromptMessage[] | Failure): value is Failure {
  return !Array.isArray(value)
}
