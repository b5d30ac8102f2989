/** The terms of a key besides its budgets: expiry, networks, skills, and notes of its maker. */
import type { Issue } from '../errors.ts'
import { isNetwork, originTest } from '../net/origins.ts'

/** Notes by name; they do not affect what the key may do. */
export type KeyMetadata = Readonly<Record<string, string | number | boolean>>

export interface KeyTerms {
  /** The key is refused from this moment on; null: never. */
  expiresAt: Date | null
  /** CIDRs that its requests must come from; null: any address. */
  networks: readonly string[] | null
  /** Ids of the skills that it may buy, within the products that it may buy; null: all skills. */
  skills: readonly string[] | null
  metadata: KeyMetadata
}

export const NETWORKS_MAX = 50
export const SKILLS_MAX = 100
const SKILL_ID_MAX = 120
const SKILL_ID_FORM = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_]*)+$/
export const METADATA_MAX = 20
export const METADATA_NAME = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$'
export const METADATA_TEXT_MAX = 500
const METADATA_NAME_FORM = new RegExp(METADATA_NAME)
/** The latest possible expiry. */
const EXPIRY_MAX_MS = Date.UTC(10_000, 0, 1) - 1

/** The issues of the present members, by name. */
export function keyTermIssues(terms: Partial<KeyTerms>, now = new Date()): Issue[] {
  const { expiresAt, networks, skills, metadata = {} } = terms
  const issues: Issue[] = []
  const add = (path: string, message: string): void => void issues.push({ path, message })
  const atMs = expiresAt ? expiresAt.getTime() : null
  if (atMs !== null && !(atMs > now.getTime() && atMs <= EXPIRY_MAX_MS))
    add('/expiresAt', 'must be a time to come')
  if (networks && (networks.length === 0 || networks.length > NETWORKS_MAX))
    add('/networks', `must have 1 to ${NETWORKS_MAX} networks`)
  for (const [at, network] of (networks ?? []).entries()) {
    if (!isNetwork(network))
      add(`/networks/${at}`, 'must be an address or a CIDR such as 192.0.2.0/24 or 2001:db8::/32')
  }
  if (skills && skills.length > SKILLS_MAX) add('/skills', `must have at most ${SKILLS_MAX} skills`)
  for (const [at, skill] of (skills ?? []).entries()) {
    if (skill.length > SKILL_ID_MAX || !SKILL_ID_FORM.test(skill))
      add(`/skills/${at}`, 'must be the id of a skill such as demo.hash')
  }
  if (Object.keys(metadata).length > METADATA_MAX)
    add('/metadata', `must have at most ${METADATA_MAX} members`)
  for (const [name, value] of Object.entries(metadata)) {
    const wrong = metadataProblem(name, value)
    if (wrong !== null) add(`/metadata/${name}`, wrong)
  }
  return issues
}

function metadataProblem(name: string, value: KeyMetadata[string]): string | null {
  if (!METADATA_NAME_FORM.test(name)) return 'must have a name of 1 to 40 letters, digits, _ . or -'
  if (typeof value !== 'string') return null
  // PostgreSQL accepts neither U+0000 nor lone surrogates in JSON.
  const isText = value.isWellFormed() && !value.includes('\0')
  if (value.length <= METADATA_TEXT_MAX && isText) return null
  return `must have at most ${METADATA_TEXT_MAX} characters of Unicode, and no U+0000`
}

/**
 * The moment of an RFC 3339 date or date-time; an invalid Date for a day that its month does not
 * have, which Date itself would read as one of the next month.
 */
export function momentIn(text: string): Date {
  const day = text.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return new Date(isDay ? text : Number.NaN)
}

/** Whether the key may be used from this caller's address. */
export function isFrom({ networks }: Pick<KeyTerms, 'networks'>, clientAddress: string): boolean {
  return networks === null || originTest(networks)(clientAddress)
}

/** Whether the key has expired. */
export function hasExpired({ expiresAt }: Pick<KeyTerms, 'expiresAt'>, now = new Date()): boolean {
  return expiresAt !== null && expiresAt <= now
}
