/**
 * Migrations that earlier versions applied and this one no longer has: their tables belong to a
 * plugin now, whose first migration takes them over with their rows. A database that has them is
 * as good as one that never had them. 0004_plugin_tables, which comes after them, keeps the versions
 * that had them from starting on a database whose tables have moved.
 */

/** SHA-256 of the file in hex, as drizzle records it, by its position in the history. */
const RETIRED: ReadonlyMap<number, string> = new Map([
  [4, 'cfb93862c749b1c424f661bb43c3251e0bee5e973715696a21c525cc1e0ef141'],
  [5, 'bb51e170d5a5299d564bfcb459eafe2fddcffa6179d2988c4fc83ef5c3944d09'],
  [6, '6492205ec9791962a9098bd7e05231f745db53411f25f086fb1c82835031d1ec'],
])

/** The hashes of a database's history, oldest first, without those of retired migrations. */
export function withoutRetired(applied: readonly string[]): string[] {
  return applied.filter((hash, position) => RETIRED.get(position) !== hash)
}
