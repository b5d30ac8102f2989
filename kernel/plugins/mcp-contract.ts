/**
 * What a plugin can give MCP clients beyond a JSON result: content blocks, prompts and resources.
 * All of it is free; the adapter lists what the mounted products contribute.
 */
import { fail, type Failure, type Reason } from '../errors.ts'
import { REASONS } from '../reasons.ts'

/** A block of a tool result or a prompt message (MCP 2025-06-18 ContentBlock). `data` is base64. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: ResourceContents }
  | { type: 'resource_link'; uri: string; name: string; description?: string; mimeType?: string }

/** Text, or base64 in `blob`. */
export type ResourceContents = { uri: string; mimeType?: string } & (
  | { text: string }
  | { blob: string }
)

export interface PromptArgument {
  name: string
  description: string
  required?: boolean
  /** The values it takes, offered as completions; others are accepted too. */
  values?: readonly string[]
}

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** The messages for these arguments; required ones are present. */
  messages(
    args: Readonly<Record<string, string>>,
    client: ClientView,
  ): Promise<readonly PromptMessage[] | Failure> | readonly PromptMessage[] | Failure
}
export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

/** A document at a fixed `uri`, or one per match of a template such as 'kb://articles/{id}'. */
export interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** The contents at `uri`; `params` holds the template's values. Null: nothing is there. */
  read(
    uri: string,
    params: Readonly<Record<string, string>>,
  ): Promise<ResourceContents | null> | ResourceContents | null
}

/** How far the work is; `progress` grows with every report. */
export interface ProgressReport {
  progress: number
  total?: number
  message?: string
}

/** Severities of RFC 5424, as MCP names them. */
export type LogLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency'

/** The MCP client behind a call, for a skill that talks to it. */
export interface ClientView {
  /** What the client says it can do; null when its revision does not say so with every call. */
  readonly capabilities: Readonly<Record<string, unknown>> | null
  /** Answers to the requests of an earlier run of this call, by their names; empty in the first. */
  readonly answers: Readonly<Record<string, unknown>>
  /** The state that went with those requests. */
  readonly state: string | null
  progress(report: ProgressReport): void
  /** A log message for the client; dropped when it asked for none of this level. */
  log(level: LogLevel, data: unknown): void
}

/** Something that a skill needs from the user or the model on the client's side. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: Record<string, unknown>
}

/**
 * What a handler returns when it cannot go on without answers; only for a call with a client. It is
 * run again with the answers and `state`, which no client can read or change. Nothing is charged
 * until a run ends in success.
 */
export function inputRequired(
  requests: Readonly<Record<string, InputRequest>>,
  state?: string,
): Failure {
  return fail('INVALID_INPUT', 'The call needs answers before it can go on', {
    details: { reason: REASONS.input_required, requests, ...(state !== undefined && { state }) },
  })
}
export const INPUT_REQUIRED: Reason<'INVALID_INPUT'> = REASONS.input_required
