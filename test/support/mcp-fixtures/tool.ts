/** Makes the unmetered skills that the official conformance suite calls. */
import { Type, type TSchema } from 'typebox'
import type { ContentBlock, Result, Skill, SkillContext } from '#kernel'

/** What every fixture gives back: the blocks that its result shows. */
export interface Shown {
  blocks: ContentBlock[]
}
export type Handler = (
  ctx: SkillContext,
  input: Record<string, unknown>,
) => Promise<Result<Shown>> | Result<Shown>

/** A skill `fixtures.<name>` with a tool of that name. */
export function tool(
  name: string,
  handler: Handler,
  options: { input?: TSchema; logs?: boolean } = {},
): Skill {
  return {
    id: `fixtures.${name}`,
    tools: [{ name }],
    title: name,
    description: `Fixture ${name} of the MCP conformance suite.`,
    input: options.input ?? Type.Object({}),
    output: Type.Object({ blocks: Type.Array(Type.Unknown()) }),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    logs: options.logs,
    content: (output) => (output as Shown).blocks,
    handler: async (ctx, input) => handler(ctx, input as Record<string, unknown>),
  }
}

export function show(...blocks: ContentBlock[]): Result<Shown> {
  return { ok: true, output: { blocks } }
}

export function text(text: string): ContentBlock {
  return { type: 'text', text }
}

/** A red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
/** A WAV file without samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
