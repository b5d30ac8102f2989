/** Ids of the relay's records: a prefix and a UUIDv7, so that they sort by time of making. */
import { newId } from '#kernel'

export type IdPrefix = 'ep' | 'dst' | 'dlv' | 'fwd'

export function makeId(prefix: IdPrefix): string {
  return `${prefix}_${newId().replaceAll('-', '')}`
}

/** Whether a text may be an id at all: PostgreSQL takes no U+0000, and a look-up would fail. */
export function mayBeId(text: string): boolean {
  return !text.includes('\0')
}

export const DELIVERY_ID = '^dlv_[A-Za-z0-9]{1,64}$'
