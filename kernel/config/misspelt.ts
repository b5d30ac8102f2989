/** Names that are not known, and are almost one that is: of settings, of keys of a file, of members. */

/** Two edits make no other word of a name of this length; a name below the other has no near one. */
const LONG = 10
const SHORT = 4

/**
 * Whether `name` is `known` in other letters' case, signs or number (a plural), or one edit away, two
 * for long names: a letter added, left out, changed, or swapped with the next one.
 */
export function isMisspelt(known: string, name: string): boolean {
  const [a, b] = [plain(known), plain(name)]
  if (singular(a) === singular(b)) return true
  if (Math.min(a.length, b.length) < SHORT) return false
  const editsMax = a.length < LONG ? 1 : 2
  return Math.abs(a.length - b.length) <= editsMax && editsBetween(a, b) <= editsMax
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const singular = (name: string): string => name.replace(/ies$/, 'y')

function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity
      row.push(Math.min(change, swap, rows[i - 1]![j]! + 1, row[j - 1]! + 1))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
