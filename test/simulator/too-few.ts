/** What came less often than `least` says, with its number: a history that tries nothing shows nothing. */
export function tooFew<Name extends string>(
  sums: Readonly<Record<Name, number>>,
  least: Readonly<Record<Name, number>>,
): string[] {
  return (Object.keys(least) as Name[])
    .filter((name) => sums[name] < least[name])
    .map((name) => `${name}: ${sums[name]}`)
}
