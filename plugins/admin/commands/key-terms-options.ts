/** `--expires`, `--from`, `--skills` and `--meta` of the key commands. */
import { type CommandLine, type KeyMetadata, type KeyTerms, keyTermIssues, momentIn } from '#kernel'
import { OptionError } from './credits-option.ts'

export const TERM_OPTIONS = {
  expires: { type: 'string' },
  from: { type: 'string' },
  skills: { type: 'string' },
  meta: { type: 'string' },
} as const
export const TERM_USAGE =
  '[--expires 30d|TIME|never] [--from CIDR,CIDR|any] [--skills A.B,C.D|all] [--meta A=B,C=D|none]'

const OPTION_OF: Readonly<Record<string, string>> = {
  expiresAt: '--expires',
  networks: '--from',
  skills: '--skills',
  metadata: '--meta',
}

const SPAN_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** The end, networks, skills and notes that the options name; an OptionError says what is wrong with one. */
export function termsIn(options: CommandLine['options'], now = new Date()): Partial<KeyTerms> {
  const { expires, from, skills, meta } = options
  const terms: Partial<KeyTerms> = {
    ...(typeof expires === 'string' && { expiresAt: endIn(expires, now) }),
    ...(typeof from === 'string' && { networks: from === 'any' ? null : listIn(from) }),
    ...(typeof skills === 'string' && { skills: skills === 'all' ? null : listIn(skills) }),
    ...(typeof meta === 'string' && { metadata: notesIn(meta) }),
  }
  const [issue] = keyTermIssues(terms, now)
  if (!issue) return terms
  const [, member = '', at] = issue.path.split('/')
  const option = OPTION_OF[member]
  const list = member === 'networks' ? terms.networks : member === 'skills' ? terms.skills : null
  const part = list && at ? ` ${list[Number(at)]}` : at ? ` ${at}` : ''
  throw new OptionError(`${option}${part} ${issue.message}`)
}

/** Milliseconds of a span such as 90m, 12h, 30d or 8w; null for any other text. */
export function spanMsIn(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  return count === undefined || unit === undefined ? null : Number(count) * SPAN_MS[unit]!
}

function endIn(text: string, now: Date): Date | null {
  if (text === 'never') return null
  const spanMs = spanMsIn(text)
  if (spanMs !== null) return new Date(now.getTime() + spanMs)
  const at = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text) ? momentIn(text) : null
  if (at !== null && !Number.isNaN(at.getTime())) return at
  throw new OptionError(
    `--expires must be a span such as 90m, 12h, 30d or 8w, a time such as 2027-01-31T00:00:00Z, or 'never', got ${text}`,
  )
}

function notesIn(text: string): KeyMetadata {
  if (text === 'none') return {}
  return Object.fromEntries(
    listIn(text).map((pair) => {
      const at = pair.indexOf('=')
      if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
      throw new OptionError(`--meta must be names and values such as team=billing, got ${pair}`)
    }),
  )
}

function listIn(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || [])
}
