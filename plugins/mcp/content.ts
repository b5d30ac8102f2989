/**
 * The content blocks of a tool result. The JSON of the output comes as text; an output that holds
 * an image (`image_base64` and `content_type`), or the picture or sound that an upstream answered
 * (`base64` and `contentType`), shows it as such, and not again in the text.
 */
import type { ContentBlock, Skill } from '#kernel'
import { isObject } from './protocol.ts'

/** JSON text of the `content` array for an output given as JSON text. */
export function contentOf(skill: Skill, json: string): string {
  const hasMedia = json.includes('"image_base64":"') || json.includes('"base64":"')
  if (!skill.content && !hasMedia) return `[${textBlock(json)}]`
  const output: unknown = JSON.parse(json)
  const own = ownBlocks(skill, output)
  const shown = own ?? []
  let text = json
  const media = isObject(output) ? mediaOf(output) : null
  if (media) {
    shown.push(blockText(media.block))
    text = JSON.stringify(media.rest)
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

/** What models read as pictures: a host that hands on another is refused by them. */
const IMAGES_READ = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The picture or the sound of an output as a block, with what else the output has. */
function mediaOf(output: Record<string, unknown>): { block: ContentBlock; rest: object } | null {
  const { image_base64: image, base64, ...rest } = output
  const { content_type: imageType, contentType } = output
  if (typeof image === 'string' && typeof imageType === 'string' && imageType.startsWith('image/'))
    return {
      block: { type: 'image', data: image, mimeType: imageType },
      rest: { ...rest, ...(base64 !== undefined && { base64 }) },
    }
  if (typeof base64 !== 'string' || typeof contentType !== 'string') return null
  const kind = contentType.startsWith('audio/') ? 'audio' : 'image'
  if (kind === 'image' && !IMAGES_READ.has(contentType)) return null
  return {
    block: { type: kind, data: base64, mimeType: contentType },
    rest: { ...rest, ...(image !== undefined && { image_base64: image }) },
  }
}

export function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`
}
