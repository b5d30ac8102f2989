/**
 * The content blocks of a tool result. The JSON of the output comes as text; an output that holds
 * an image (`image_base64` and `content_type`) shows it as an image, and not again in the text.
 */
import type { ContentBlock, Skill } from '#kernel'
import { isObject } from './protocol.ts'

/** JSON text of the `content` array for an output given as JSON text. */
export function contentOf(skill: Skill, json: string): string {
  const isImage = json.includes('"image_base64":"')
  if (!skill.content && !isImage) return `[${textBlock(json)}]`
  const output: unknown = JSON.parse(json)
  const own = ownBlocks(skill, output)
  const shown = own ?? []
  let text = json
  if (isObject(output) && isImageOutput(output)) {
    const { image_base64: data, ...rest } = output
    shown.push(blockText({ type: 'image', data, mimeType: output.content_type }))
    text = JSON.stringify(rest)
  }
  // A skill that shows its output by itself decides what a model reads.
  if (!own) shown.push(textBlock(text))
  return `[${shown.join(',')}]`
}

/** What the skill shows by itself; null when it cannot: the answer is paid for and goes out anyway. */
function ownBlocks(skill: Skill, output: unknown): string[] | null {
  try {
    return skill.content?.(output as never).map(blockText) ?? null
  } catch {
    return null
  }
}

function blockText(block: ContentBlock): string {
  if (!isObject(block)) throw new TypeError('a content block must be an object')
  return JSON.stringify(block)
}

function isImageOutput(
  output: Record<string, unknown>,
): output is { image_base64: string; content_type: string } {
  return (
    typeof output['image_base64'] === 'string' &&
    typeof output['content_type'] === 'string' &&
    output['content_type'].startsWith('image/')
  )
}

export function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`
}
