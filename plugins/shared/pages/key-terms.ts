/** The end, networks of origin, skills and notes of a key: as facts, as fields of a form, and from what was typed. */
import { InputError } from './api.ts'
import type { Field } from './dialog.ts'
import { h } from './dom.ts'
import { badge, type Fact } from './parts.ts'
import { moment } from './when.ts'

export interface KeyTerms {
  expiresAt: string | null
  networks: string[] | null
  skills: string[] | null
  metadata: Record<string, string | number | boolean>
}

/** Its state in a word. */
export function keyBadge(key: { revokedAt: string | null; expiresAt: string | null }): HTMLElement {
  if (key.revokedAt !== null) return badge('revoked')
  return badge(hasEnded(key) ? 'expired' : 'active')
}

function hasEnded({ expiresAt }: Pick<KeyTerms, 'expiresAt'>): boolean {
  return expiresAt !== null && new Date(expiresAt) <= new Date()
}

/** What a key's page tells of them. */
export function termFacts({ expiresAt, networks, skills, metadata }: KeyTerms): Fact[] {
  const notes = Object.entries(metadata)
  return [
    ['Ends', expiresAt === null ? 'never' : moment(expiresAt)],
    ['May be used from', networks === null ? 'any address' : networks.join(', ')],
    skills === null ? null : ['Skills', skills.join(', ') || 'none'],
    notes.length === 0
      ? null
      : [
          'Notes',
          h(
            'ul',
            {},
            notes.map(([name, value]) => h('li', {}, `${name}: ${value}`)),
          ),
        ],
  ]
}

/** Fields with what is set now. */
export function termFields(key?: KeyTerms): Field[] {
  return [
    {
      name: 'expiresAt',
      label: 'Ends',
      kind: 'moment',
      value: localMoment(key?.expiresAt ?? null),
      hint: 'Local time; empty: never',
    },
    {
      name: 'networks',
      label: 'May be used from',
      value: key?.networks?.join(', ') ?? '',
      hint: 'Addresses or CIDRs with commas between, such as 192.0.2.0/24; empty: any address',
    },
    {
      name: 'skills',
      label: 'Skills',
      value: key?.skills?.join(', ') ?? '',
      hint: 'Ids with commas between, such as demo.hash; empty: all of its products',
    },
    {
      name: 'metadata',
      label: 'Notes',
      kind: 'lines',
      value: notesText(key?.metadata ?? {}),
      hint: 'One on each line, such as team = billing; the holder of the key sees them',
    },
  ]
}

/** The members of a body: of those fields that were changed. */
export function termsOf(
  { expiresAt, networks, skills, metadata }: Readonly<Record<string, string>>,
  key?: KeyTerms,
): Partial<KeyTerms> {
  return {
    ...(expiresAt !== undefined && {
      expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    }),
    ...(networks !== undefined && { networks: listIn(networks) }),
    ...(skills !== undefined && { skills: listIn(skills) }),
    ...(metadata !== undefined && { metadata: notesIn(metadata, key?.metadata ?? {}) }),
  }
}

/** What stands in a text with commas between; null for nothing. */
export function listIn(text: string): string[] | null {
  const list = text.split(',').flatMap((one) => one.trim() || [])
  return list.length === 0 ? null : list
}

/** As an input of local time has it. */
function localMoment(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function notesText(notes: KeyTerms['metadata']): string {
  return Object.entries(notes)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')
}

/** A value whose text did not change stays the number or the truth that it was. */
function notesIn(text: string, before: KeyTerms['metadata']): KeyTerms['metadata'] {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^=]*[^=\s])\s*=\s*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) {
        throw new InputError(`A note is a name and a value, such as team = billing, not ${line}.`)
      }
      const known = before[name]
      return [name, known !== undefined && String(known) === value ? known : value]
    }),
  )
}
