/**
 * What a plugin can give MCP clients besides a JSON result: content blocks, prompts and resources.
 * All of it is free of charge; the adapter lists what the mounted products contribute.
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
  /** Suggested values, offered as completions; other values are accepted too. */
  values?: readonly string[]
}

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** The messages for these arguments, among which all required ones are present. */
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
  /** The contents at `uri`; `params` holds the template's values. Null if there is nothing. */
  read(
    uri: string,
    params: Readonly<Record<string, string>>,
  ): Promise<ResourceContents | null> | ResourceContents | null
}

/** The progress of the work; `progress` must grow with every report. */
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
  /** The client's capabilities; null for revisions that do not send them with every call. */
  readonly capabilities: Readonly<Record<string, unknown>> | null
  /** Answers to the input requests of an earlier run of this call, by name; empty in the first. */
  readonly answers: Readonly<Record<string, unknown>>
  /** The state that was passed with those requests. */
  readonly state: string | null
  progress(report: ProgressReport): void
  /** Sends the client a log message; dropped if it did not ask for this level. */
  log(level: LogLevel, data: unknown): void
}

/** Input that a skill needs from the user or the model on the client's side. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params: Record<string, unknown>
}

/**
 * What a handler returns if it needs input before it can continue; only for a call with a client.
 * It is run again with the answers and `state`, which clients cannot read or change. Nothing is
 * charged until a run succeeds.
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
