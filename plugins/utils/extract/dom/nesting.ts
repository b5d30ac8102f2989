/**
 * A page with its nesting capped before it is parsed: the standard's algorithm looks up the whole
 * stack of open elements for each tag, which takes minutes for a hundred thousand of them.
 */

/** Browsers stop at 512. */
const OPEN_MAX = 1200
/** Elements that never hold others, or that the next of their kind closes. */
const SHALLOW = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup td th tr tbody thead tfoot colgroup rp rt html head body'.split(
    ' ',
  ),
)
const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|textarea|title|xmp|iframe|noembed|noframes)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^"'>])*>?/gi

/** Longer runs of white space say nothing and cost patterns that end in it the square of them. */
const BLANK = /\s{300,}/g

/** The page itself when nothing is nested too deep, else without the tags beyond the cap. */
export function withCappedNesting(given: string): string {
  const html = given.replaceAll(BLANK, (run) => (run.includes('\n') ? '\n' : ' '))
  let open = 0
  let over = 0
  let from = 0
  const kept: string[] = []
  for (const found of html.matchAll(TAG)) {
    const name = found[3]?.toLowerCase()
    if (name === undefined || SHALLOW.has(name) || found[0].endsWith('/>')) continue
    const isEnd = found[2] === '/'
    const isDropped = isEnd ? over > 0 : open >= OPEN_MAX
    if (isDropped) over += isEnd ? -1 : 1
    else open = Math.max(0, open + (isEnd ? -1 : 1))
    if (!isDropped) continue
    if (found.index > from) kept.push(html.slice(from, found.index), ' ')
    from = found.index + found[0].length
  }
  return from === 0 ? html : kept.join('') + html.slice(from)
}
