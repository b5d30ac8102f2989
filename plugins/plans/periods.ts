/** Months of a subscription: each begins on the day of the month, and at the time, of the first. */

/**
 * The moment `months` after `anchor`, in UTC. A day that a month does not have becomes its last one:
 * from January 31 the months begin on February 28, March 31, April 30.
 */
export function monthsAfter(anchor: Date, months: number): Date {
  const moved = new Date(anchor)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  moved.setUTCDate(Math.min(anchor.getUTCDate(), daysOfMonth(moved)))
  return moved
}

/**
 * Which month of a subscription `now` lies in, counted from 0 at `anchor`. Months that passed while
 * no gateway ran are skipped by this count: nobody pays for one that is over.
 */
export function monthOf(anchor: Date, now: Date): number {
  const years = now.getUTCFullYear() - anchor.getUTCFullYear()
  const guess = years * 12 + now.getUTCMonth() - anchor.getUTCMonth()
  return Math.max(0, monthsAfter(anchor, guess) <= now ? guess : guess - 1)
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
