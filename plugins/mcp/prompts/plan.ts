/** A prompt of this service before it knows what is mounted. */
import type { PromptArgument } from '#kernel'
import type { Toolbox } from './toolbox.ts'

export interface PromptPlan {
  name: string
  title: string
  description: string
  /** The tool without which the prompt is of no use. */
  tool: string
  arguments: readonly PromptArgument[]
  /** The text for the model. */
  text(args: Readonly<Record<string, string>>, tools: Toolbox): string
}

/** Text from the caller, set apart from ours. */
export function quoted(label: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `\n\n${label}:\n"""\n${text}\n"""`
}
