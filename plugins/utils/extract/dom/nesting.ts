/**
 * A page with its nesting and attributes capped before it is parsed: the standard's algorithm looks
 * up the whole stack of open elements for each tag and the whole list of attributes for each name,
 * which takes minutes for a hundred thousand of them.
 */

/** More elements than any page for people; reading as many takes several seconds. */
export const ELEMENTS_MAX = 120_000
/** Browsers stop at 512. */
const OPEN_MAX = 1200
/** Elements that never hold others, or that the next of their kind closes. */
const SHALLOW = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup td th tr tbody thead tfoot colgroup rp rt html head body'.split(
    ' ',
  ),
)
const RAW = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes)$/

/** Where the tag ends that starts before `from`: behind its '>', quotes respected. */
function tagEnd(html: string, from: number): number {
  const mark = /["'>]/g
  mark.lastIndex = from
  for (let found = mark.exec(html); found; found = mark.exec(html)) {
    if (found[0] === '>') return found.index + 1
    const close = html.indexOf(found[0], found.index + 1)
    if (close === -1) break
    mark.lastIndex = close + 1
  }
  return html.length
}

interface Tag {
  name: string
  isEnd: boolean
  from: number
  to: number
}

/** The tags of a page, without what stands in comments, scripts and other raw text. */
function* tagsOf(html: string): Generator<Tag> {
  const start = /<(?:!--|(\/?)([a-z][^\s/>]*))/gi
  for (let found = start.exec(html); found; found = start.exec(html)) {
    if (found[2] === undefined) {
      const end = html.indexOf('-->', start.lastIndex)
      if (end === -1) return
      start.lastIndex = end + 3
      continue
    }
    const name = found[2].toLowerCase()
    const isEnd = found[1] === '/'
    let to = tagEnd(html, start.lastIndex)
    if (!isEnd && RAW.test(name)) {
      const close = new RegExp(`</${name}`, 'gi')
      close.lastIndex = to
      to = close.exec(html)?.index ?? html.length
    }
    yield { name, isEnd, from: found.index, to }
    start.lastIndex = to
  }
}

/** Whether a tag has so many attributes that looking each up among the others takes seconds. */
const isCrowded = (tag: string): boolean =>
  tag.length > 10_000 &&
  (tag.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/\s[^\s=>"']+/g)?.length ?? 0) > 2000

/** Longer runs of white space say nothing and cost patterns that end in it the square of them. */
const BLANK = /\s{300,}/g

/**
 * The page itself when nothing in it is too much, else without the tags and attributes beyond the
 * caps; `isCut` when it ends at the last element that is read.
 */
export function withCappedNesting(given: string): { html: string; isCut: boolean } {
  const html = given.replaceAll(BLANK, (run) => (run.includes('\n') ? '\n' : ' '))
  let open = 0
  let over = 0
  let from = 0
  let elements = 0
  let end = html.length
  const kept: string[] = []
  for (const tag of tagsOf(html)) {
    if (!tag.isEnd) elements += 1
    if (elements > ELEMENTS_MAX) {
      end = tag.from
      break
    }
    const source = html.slice(tag.from, tag.to)
    if (!tag.isEnd && !RAW.test(tag.name) && isCrowded(source)) {
      kept.push(html.slice(from, tag.from), `<${tag.name}>`)
      from = tag.to
    }
    if (SHALLOW.has(tag.name) || RAW.test(tag.name) || source.endsWith('/>')) continue
    const isDropped = tag.isEnd ? over > 0 : open >= OPEN_MAX
    if (isDropped) over += tag.isEnd ? -1 : 1
    else open = Math.max(0, open + (tag.isEnd ? -1 : 1))
    if (!isDropped || from > tag.from) continue
    if (tag.from > from) kept.push(html.slice(from, tag.from), ' ')
    from = tag.to
  }
  return { html: kept.join('') + html.slice(from, end), isCut: end < html.length }
}
