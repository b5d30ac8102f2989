/**
 * A name of what one dialog asks for: pressed again after a lost answer it is the same, and moves nothing
 * twice. Also on plain http, unlike `randomUUID`.
 */
export function onceName(): string {
  return `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
}
