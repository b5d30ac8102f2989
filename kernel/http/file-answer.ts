/**
 * Answers with a file instead of JSON if Accept asks for its type: the image or PDF that the skill
 * makes of its output (`content`). The kept answer is always the JSON, so retries, receipts of
 * other transports and measures do not depend on Accept.
 */
import type { ContentBlock } from '../plugins/mcp-contract.ts'
import type { Skill } from '../plugins/skill.ts'
import type { StoredAnswer } from '../rails/contract.ts'

/** Types that cannot run scripts in the gateway's origin. */
const FILE_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
])
const decoder = new TextDecoder()

interface File {
  type: string
  base64: string
}

function fileOf(block: ContentBlock): File | null {
  if (block.type === 'image') return { type: block.mimeType, base64: block.data }
  if (block.type !== 'resource' || !('blob' in block.resource)) return null
  return { type: block.resource.mimeType ?? '', base64: block.resource.blob }
}

/**
 * The preference (q) for a type by an Accept header (RFC 9110, 12.5.1), where the most specific
 * range decides; null if only `*`/`*` or no range covers the type.
 */
function preference(accept: string, type: string): number | null {
  const [family] = type.split('/', 1)
  let best: { rank: number; q: number } | null = null
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const rank = range === type ? 2 : range === `${family}/*` ? 1 : 0
    if (rank === 0 || (best && best.rank >= rank)) continue
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
    const q = weight === undefined ? 1 : Number(weight)
    best = { rank, q: q >= 0 && q <= 1 ? q : 0 }
  }
  return best?.q ?? null
}

/** Empty if the plugin's `content` fails: the call is paid, and its JSON is the answer. */
function filesOf(content: NonNullable<Skill['content']>, answer: StoredAnswer): File[] {
  try {
    const blocks = content(JSON.parse(decoder.decode(answer.body)) as never)
    return blocks.map(fileOf).filter((file) => file !== null)
  } catch {
    return []
  }
}

/** The file of a successful answer; null if the JSON is to be sent. */
export function fileAnswer(
  { content }: Pick<Skill, 'content'>,
  accept: string | null,
  answer: StoredAnswer,
): StoredAnswer | null {
  if (!content || accept === null || answer.status < 200 || answer.status > 299) return null
  // Most callers accept JSON or anything, so their answer need not be parsed.
  if (![...FILE_TYPES].some((type) => preference(accept, type) !== null)) return null
  const file = filesOf(content, answer).find(({ type }) => FILE_TYPES.has(type))
  if (!file) return null
  const wish = preference(accept, file.type) ?? 0
  if (wish === 0 || wish <= (preference(accept, 'application/json') ?? 0)) return null
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'content-type': file.type,
      'x-content-type-options': 'nosniff',
      vary: 'Accept',
    },
    body: Buffer.from(file.base64, 'base64'),
  }
}
