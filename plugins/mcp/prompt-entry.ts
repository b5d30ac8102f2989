/** A prompt as prompts/list has it. */
import type { Prompt } from '#kernel'

export function promptEntry(prompt: Prompt): { name: string; value: object } {
  const { name, title, description } = prompt
  return {
    name,
    value: {
      name,
      title,
      description,
      arguments: prompt.arguments.map(({ name, description, required }) => ({
        name,
        description,
        required: required ?? false,
      })),
    },
  }
}
