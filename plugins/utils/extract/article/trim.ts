/** Drops from an article's blocks what is not the article: labels, prompts, repeats of the headline. */
import type { Block } from './blocks.ts'

const LABEL =
  /^(?:share|shares|tweet|email|e-mail|print|save|comments?|no comments?|\d+ comments?|leave a (?:comment|reply)|reply|like|advertisements?|ad|sponsored|related(?: articles| stories| posts| news| content| topics| links)?|read more|more|continue reading|see also|see more|view (?:all|more|comments|gallery)|recommended|most (?:read|popular)|tags?|topics|filed under|categories|follow us|follow|subscribe|sign up|newsletter|loading|next|previous|back to top|top|close|menu|search|copy link|link copied|facebook|twitter|linkedin|whatsapp|pinterest|reddit|instagram|youtube|source|sources|photo|image|video|play video|watch|listen|gallery|slideshow|anzeige|werbung|teilen|kommentare|mehr zum thema|publicité|partager|commentaires|lire aussi|publicidad|compartir|comentarios|leer más|pubblicità|condividi|publicidade|compartilhar|leia mais|leia também|реклама|поделиться|комментарии)\W*$/i

const PROMPT =
  /^(?:(?:read|see|watch|listen|more|related|also|don'?t miss|recommended|you (?:may|might) also)\b[^:.!?]{0,30}:\s|(?:read|see|watch|listen)\s+(?:more|also|next|now)\b|also (?:read|on)\b|related (?:article|stor|post|link|cont)\w*\b|(?:click|tap) (?:here|to|on)\b|(?:follow|like|join|find) us\b|follow (?:@|\w+ \w+ on (?:twitter|facebook|instagram|x))|subscribe (?:to|now|here)|sign up (?:for|to|here)|get (?:the latest|our|more)\b.{0,60}(?:newsletter|inbox|app|alerts)|(?:photo|image|picture|photograph|video|credit|foto|bild|crédit photo)\s*(?:credit|by|courtesy|source)?\s*[:/©]|getty images|(?:this|the) (?:article|story|post) (?:was |originally )?(?:first |originally )?(?:appeared|published)|originally published|copyright\b|©|all rights reserved|download (?:the|our) app|tags?:|filed under|categories?:|posted in\b|share this\b|share on\b|tell us (?:what|your)|what do you think\b.{0,60}comments?|(?:lire|à lire) aussi|lesen sie (?:auch|mehr)|mehr zum thema|lea también|te puede interesar|leggi anche|leia (?:também|mais)|читайте также|you have \w+ (?:free )?articles? (?:left|remaining)|already a subscriber|log ?in\b.{0,40}(?:subscri|account|comment)|enable javascript|javascript is (?:disabled|required)|your browser does not|sorry, your browser|we use cookies|by (?:using|continuing|signing up))/i

const BYLINE =
  /^(?:by|written by|posted by|reported by|von|par|por|di|door|av|af|od)\s+\p{Lu}[^.!?]{1,80}$/u
const DATE_LINE =
  /^(?:(?:published|posted|updated|last (?:updated|modified)|first published|created|on|date)\b[^.]{0,60}|[^.!?]{0,12}\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}|(?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|fév|avr|juin|juil|août|déc|ene|abr|ago|dic)\p{L}*\.? ?\d{0,2},? \d{4})[^.!?]{0,40})$/iu

const fold = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

const isShort = (block: Block, length = 220): boolean => block.text.length < length

function isNoise(block: Block): boolean {
  if (block.kind === 'code') return false
  if (LABEL.test(block.text)) return true
  if (isShort(block) && PROMPT.test(block.text)) return true
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

/** The article's own blocks: what comes before is trimmed of headline, byline and date lines. */
export function trimBlocks(blocks: readonly Block[], title: string | null): Block[] {
  let kept = dropLinkRuns(blocks.filter((block) => !isNoise(block)))
  const headline = title === null ? '' : fold(title)
  let start = 0
  const head = kept.slice(0, 6)
  for (const [index, block] of head.entries()) {
    const isHeadline = headline !== '' && fold(block.text) === headline
    const isLine = isShort(block, 100) && (BYLINE.test(block.text) || DATE_LINE.test(block.text))
    if (isHeadline || isLine) start = index + 1
    else if (block.text.length > 120) break
  }
  // Lines before the headline are sections and dates, unless the whole text would go.
  if (start < kept.length) kept = kept.slice(start)
  const seen = new Set<string>()
  kept = kept.filter((block) => {
    if (block.text.length < 60) return true
    const key = fold(block.text)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return dropBareHeadings(kept)
}
