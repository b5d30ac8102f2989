/** How large an untrusted caller's JSON may be before work on it begins. */

export interface SizeLimits {
  valuesMax: number
  depthMax: number
}

/** What makes `root` too large, to follow its name in a message; null when it is within the limits. */
export function sizeProblem(root: unknown, { valuesMax, depthMax }: SizeLimits): string | null {
  let values = 0
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (++values > valuesMax) return `has more than ${valuesMax} values`
    if (entry.depth > depthMax) return `is nested deeper than ${depthMax} levels`
    if (typeof entry.value !== 'object' || entry.value === null) continue
    for (const value of Object.values(entry.value)) stack.push({ value, depth: entry.depth + 1 })
  }
  return null
}
