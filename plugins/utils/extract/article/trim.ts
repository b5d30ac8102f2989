/** Drops from an article's blocks what is not the article: labels, prompts, credits, what follows it. */
import { lengthOf } from './blocks.ts'
import type { Block } from './block.ts'
import { findDate } from './parse-date.ts'
import { fold, words } from './phrases.ts'
import {
  ASKS,
  BYLINE,
  CREDIT_WORDS,
  DATE_LINE,
  END_FOR_SURE,
  END_HEADING,
  LABEL,
  LETTER,
  PROMPT,
} from './prompts.ts'

/** What the page is known to be about; it tells an article's head from its text. */
export interface Known {
  title: string | null
  authors: readonly string[]
}

const isShort = (block: Block, length = 220): boolean => block.text.length < length

function isNoise(block: Block): boolean {
  if (block.kind === 'code') return false
  if (LABEL.test(block.text)) return true
  if (/^\d{1,3}[.)]?$/.test(block.text) && block.kind !== 'row') return true
  if (isShort(block) && PROMPT.test(block.text)) return true
  if (isShort(block, 260) && LETTER.test(block.text) && ASKS.test(block.text)) return true
  return false
}

/** Runs of items or short lines that are links only: menus, related stories, tags. */
function dropLinkRuns(blocks: Block[]): Block[] {
  const isLink = (block: Block): boolean => block.linked > 0.85 && isShort(block, 160)
  const kept: Block[] = []
  const shareOfLinks = blocks.filter(isLink).length / Math.max(1, blocks.length)
  for (let at = 0; at < blocks.length;) {
    let end = at
    while (end < blocks.length && isLink(blocks[end]!)) end += 1
    const run = end - at
    if (run === 0) {
      kept.push(blocks[at]!)
      at += 1
      continue
    }
    // A page that is mostly links is a list, and the list is what it is about.
    const isEdge = kept.length === 0 || end === blocks.length
    if (shareOfLinks > 0.6 || (run < 3 && !isEdge && blocks[at]!.kind !== 'item')) {
      kept.push(...blocks.slice(at, end))
    }
    at = end
  }
  return kept
}

/** Headings that head nothing: at the end, or directly before one of the same kind of leftovers. */
function dropBareHeadings(blocks: Block[]): Block[] {
  let end = blocks.length
  while (end > 0 && blocks[end - 1]!.kind === 'heading') end -= 1
  return blocks.slice(0, end)
}

/** Whether a line only says who wrote it and when. */
function isCredit(block: Block, authors: readonly string[]): boolean {
  if (!isShort(block, 180) || block.kind === 'code') return false
  // What is left of a byline whose name was a link.
  if (/^(?:(?:written|posted) by|by|von|par|por|di|door|av|af)[:：]?$/i.test(block.text))
    return true
  if (isShort(block, 100) && (BYLINE.test(block.text) || DATE_LINE.test(block.text))) return true
  const folded = fold(block.text)
  const named = authors.filter((name) => folded.includes(fold(name)))
  const date = findDate(block.text)
  if (named.length === 0 && !date) return false
  const known = new Set(named.flatMap(words).concat(date ? words(date.text) : []))
  const left = words(block.text).filter(
    (word) => !known.has(word) && !CREDIT_WORDS.has(word) && !/^\d/.test(word),
  )
  return left.length <= (named.length > 0 ? 4 : 2)
}

/** Whether a block is the headline, alone or with the topic that stands before it. */
function isHeadline(block: Block, headline: string): boolean {
  const folded = fold(block.text)
  return (
    headline !== '' &&
    (folded === headline ||
      (folded.endsWith(headline) && folded.length < headline.length * 1.5 && headline.length > 15))
  )
}

/** Everything up to the headline's repeat and the lines of credit below it. */
function withoutHead(blocks: Block[], { title, authors }: Known): Block[] {
  const headline = title === null ? '' : fold(title)
  const whole = lengthOf(blocks)
  let start = 0
  let before = 0
  for (const [index, block] of blocks.slice(0, 15).entries()) {
    // What stands before the headline is a notice or a menu, unless most of the text does.
    if (isHeadline(block, headline) && before < whole * 0.3) start = index + 1
    before += block.text.length
  }
  const below = start
  for (const [index, block] of blocks.slice(below, below + 8).entries()) {
    if (isCredit(block, authors)) start = below + index + 1
    // A heading that is a link begins an entry of a list, with a date of its own.
    else if (block.kind === 'heading' && block.linked > 0.8) break
    else if (block.text.length > 120 && !/\d\s*(?:comments?|shares?)$/i.test(block.text)) break
  }
  return start < blocks.length ? blocks.slice(start) : blocks
}

/** Everything before the heading of what follows an article: more stories, comments, its author. */
function withoutTail(blocks: Block[], { authors }: Known): Block[] {
  const whole = lengthOf(blocks)
  let before = 0
  let linked = blocks.reduce((sum, one) => sum + one.linked * one.text.length, 0)
  for (const [index, block] of blocks.entries()) {
    const after = whole - before
    linked -= block.linked * block.text.length
    const isHead = index > 0 && isShort(block, 90) && block.kind !== 'item' && block.kind !== 'row'
    if (isHead && before > 250 && before > after * 0.8) {
      const isElsewhere = linked > after * 0.25 || after < before * 0.25
      const isAuthor =
        after < before * 0.4 && authors.some((name) => fold(name) === fold(block.text))
      if (isAuthor || END_FOR_SURE.test(block.text)) return blocks.slice(0, index)
      if (END_HEADING.test(block.text) && isElsewhere) return blocks.slice(0, index)
    }
    before += block.text.length
  }
  let end = blocks.length
  while (end > 2 && isClosing(blocks[end - 1]!, authors)) end -= 1
  return blocks.slice(0, end)
}

/** A last line about the author, or when and where something was published first. */
function isClosing(block: Block, authors: readonly string[]): boolean {
  if (isCredit(block, authors)) return true
  if (
    isShort(block, 120) &&
    /^(?:this )?(?:page )?(?:was )?last (?:updated|modified|revised|changed)\b/i.test(block.text)
  )
    return true
  const isBio = authors.some((name) => block.text.startsWith(name)) && isShort(block, 400)
  return (
    isBio &&
    /\b(?:is an?|is the|was an?|writes|covers|lives|reports|can be reached|ist|est|es|é)\b/.test(
      block.text,
    )
  )
}

/**
 * Leaves out what a page holds twice, as teasers, pulled quotes and copies for other screens. A paragraph
 * that its neighbour in the same markup repeats is the author's own doing, and so is one that stands in
 * the same markup under another heading: a manual says of each function what holds for it.
 */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const seen = new Map<string, { places: Set<string>; headings: Set<string> }>()
  let last = { key: '', place: '', isKept: false }
  let heading = ''
  return blocks.filter(({ kind, text, place }) => {
    if (kind === 'heading') heading = fold(text)
    if (text.length < 60) return true
    const key = fold(text)
    const before = seen.get(key)
    const isNeighbour = last.isKept && key === last.key && place === last.place
    const isElsewhere = before?.places.has(place) === true && !before.headings.has(heading)
    const isKept = before === undefined || isNeighbour || isElsewhere
    last = { key, place, isKept }
    if (before === undefined)
      seen.set(key, { places: new Set([place]), headings: new Set([heading]) })
    else {
      before.places.add(place)
      before.headings.add(heading)
    }
    return isKept
  })
}

/** The article's own blocks: its head trimmed of headline and credits, its end of what follows. */
export function trimBlocks(blocks: readonly Block[], known: Known): Block[] {
  let kept = dropLinkRuns(blocks.filter((block) => !isNoise(block)))
  kept = withoutTail(withoutHead(kept, known), known)
  return dropBareHeadings(withoutRepeats(kept))
}
