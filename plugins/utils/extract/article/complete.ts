/**
 * Puts back what a cut left out: the lead between headline and text, listings amid it, and paragraphs
 * that stand in the same markup as the article's own but in another container.
 */
import { lengthOf } from './blocks.ts'
import type { Block } from './block.ts'
import { fold } from './phrases.ts'
import { type Known, trimBlocks } from './trim.ts'

const LEAD_MAX = 3
const LEAD_MIN_CHARS = 60
/** How far from the headline a lead may stand, in blocks. */
const LEAD_REACH = 12

const isProse = (block: Block, least: number): boolean =>
  block.text.length >= least &&
  block.linked < 0.3 &&
  (/[.!?…。！？।؟”»"']$/u.test(block.text) || block.text.length > 150)

/** A sentence below the headline that is named as its lead; a phrase there is part of the headline. */
const isSubtitle = ({ place, text, linked }: Block): boolean =>
  /[.\s-](?:sub-?(?:title|head|heading|headline)|standfirst|dek|deck|lead|excerpt|chapeau|vorspann|teaser-?text|entradilla|subtitulo|sottotitolo|ingress|intro)/.test(
    place.split(' < ')[0]!,
  ) &&
  text.length >= 20 &&
  /[.!?…。！？؟]$/u.test(text) &&
  linked < 0.3

/** Places that hold much of the article and are named, so that they are its and nothing else's. */
function ownPlaces(blocks: readonly Block[]): Set<string> {
  const sizes = new Map<string, number>()
  for (const { place, text } of blocks) sizes.set(place, (sizes.get(place) ?? 0) + text.length)
  const whole = lengthOf(blocks)
  return new Set(
    [...sizes]
      .filter(([place, size]) => size > whole * 0.3 && /\.\w{3,}/.test(place))
      .map(([place]) => place),
  )
}

/** Most blocks of a gap in the article that is one of its listings with what is said of it. */
const GAP_MAX = 6

/** What stands between blocks of the article (`at`) that follow each other but for a listing and short lines about it. */
function listingsBetween(page: readonly Block[], at: readonly number[]): Set<number> {
  const found = new Set<number>()
  for (const [place, start] of at.entries()) {
    const gap = page.slice(start + 1, at[place + 1] ?? start)
    const isListing =
      gap.length <= GAP_MAX &&
      gap.some(({ kind }) => kind === 'code') &&
      gap.every(({ kind, linked }) => (kind === 'code' || kind === 'paragraph') && linked < 0.3)
    if (isListing) for (const offset of gap.keys()) found.add(start + 1 + offset)
  }
  return found
}

/** The article with its lead and strayed paragraphs; `page` are all blocks that are no furniture. */
export function completed(article: Block[], page: readonly Block[], known: Known): Block[] {
  const inArticle = new Set(article.map(({ text }) => text))
  const at = page.flatMap(({ text }, index) => (inArticle.has(text) ? [index] : []))
  const matched = at.map((index) => page[index]!)
  const first = at[0]
  if (first === undefined || lengthOf(matched) < lengthOf(article) * 0.7) return article
  const headline = known.title === null ? '' : fold(known.title)
  const top = page.findLastIndex(
    ({ text }, index) => index < first && headline !== '' && fold(text) === headline,
  )
  const lead = new Set<number>()
  if (top >= 0 && first - top <= LEAD_REACH) {
    for (let index = top + 1; index < first && lead.size < LEAD_MAX; index += 1)
      if (isProse(page[index]!, LEAD_MIN_CHARS) || isSubtitle(page[index]!)) lead.add(index)
  }
  const places = ownPlaces(matched)
  const taken = new Set([...at, ...listingsBetween(page, at)])
  /** A heading between paragraphs of the article, directly above one. */
  const isBetween = ({ kind, linked }: Block, index: number): boolean =>
    kind === 'heading' &&
    linked < 0.5 &&
    index > top &&
    taken.has(index + 1) &&
    page[index + 1]!.kind !== 'heading' &&
    (index < first || taken.has(index - 1))
  const whole = page.filter(
    (block, index) =>
      taken.has(index) ||
      lead.has(index) ||
      isBetween(block, index) ||
      (index > Math.max(top, 0) && places.has(block.place) && isProse(block, LEAD_MIN_CHARS)),
  )
  return whole.length === matched.length ? article : trimBlocks(whole, known)
}
