/** Signed timestamps: whole seconds, at most five minutes off in either direction. */
import { TOLERANCE_S } from './contract.ts'

/** Whether the text is a time in whole seconds near `now`; false for anything that does not parse. */
export function isFresh(text: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(text)) return false
  return Math.abs(Number(text) - Math.floor(now.getTime() / 1000)) <= TOLERANCE_S
}
