/** What a part of a page says by its markup: layout names, headings, links, images, prices. */
import {
  attr,
  byTag,
  childElements,
  elementsOf,
  isSetAside,
  layoutName,
  textOf,
  type Element,
  type Parent,
} from '../dom/tree.ts'
import { valueOf } from '../harvest/microdata.ts'
import type { Resolve } from '../harvest/links.ts'
import type { Fact } from './facts.ts'
import { phraseOf } from './keys.ts'
import { moneyIn, priceIn } from './numbers.ts'
import { TRUST } from './weights.ts'

const { block: BLOCK } = TRUST
const TEXT_MAX = 1000
const FACTS_MAX = 20_000

/** A price that was: crossed out or named so. */
const FORMER =
  /(?:^|[\s_-])(?:old|was|regular|original|before|previous|compare(?:-at)?|rrp|msrp|uvp|strike\w*|crossed|list)(?:$|[\s_-])/i
/** Prefixes of microformats: p-name, u-url, dt-start, e-content. */
const FORMAT_PREFIX = /^(?:p|u|dt|e)-(?=[a-z])/

/** Names of an element as phrases: 'card__price price--big' gives 'card price', 'price', 'price big'. */
function namesOf(element: Element): string[] {
  const names = new Set<string>()
  for (const token of layoutName(element)
    .split(/\s+/)
    .filter((one) => one.length > 1 && one.length < 60)) {
    if (/price|preis|prix|precio/.test(token) && FORMER.test(token)) {
      names.add('original price')
      continue
    }
    names.add(phraseOf(token))
    const bem = token.replace(FORMAT_PREFIX, '').split('__').at(-1)!.split('--')[0]!
    names.add(phraseOf(bem))
    const hyphenated = bem.split(/[-_]/)
    if (hyphenated.length > 1) names.add(phraseOf(hyphenated.slice(1).join('-')))
  }
  for (const { name, value } of element.attrs) {
    if (
      /^data-(?:testid|qa|test|component|field|name|role|automation)$/.test(name) &&
      value.length < 60
    )
      names.add(phraseOf(value))
  }
  return [...names].filter((name) => name !== '')
}

/** Elements that set words of a value off and name nothing. */
const BARE = new Set([
  'b',
  'bdi',
  'em',
  'font',
  'i',
  'ins',
  'mark',
  'small',
  'span',
  'strong',
  'sup',
])
const BARE_LEVELS = 4

/** Whether a named element holds its value alone: text, bare elements, and prices that are crossed out. */
const isInnermost = (element: Element, levels = BARE_LEVELS): boolean =>
  childElements(element).every(
    (child) =>
      isSetAside(child) ||
      (levels > 0 &&
        BARE.has(child.tagName) &&
        layoutName(child).trim() === '' &&
        isInnermost(child, levels - 1)),
  )

/** Facts of one block (a card, a list item), or of a whole page, which are trusted less. */
export function factsOfBlock(root: Parent, resolve: Resolve, path: string, isPage = false): Fact[] {
  const facts: Fact[] = []
  const add = (key: string, value: unknown, trust: number, isMachine = false): void => {
    const isEmpty = value === '' || value === null || value === undefined
    if (!isEmpty && facts.length < FACTS_MAX)
      facts.push({ key, value, path: `${path}.${key.replaceAll(' ', '-')}`, trust, isMachine })
  }
  const elements = [...elementsOf(root)]
  for (const element of elements) {
    const isCrossedOut = ['del', 's', 'strike'].includes(element.tagName) || isSetAside(element)
    if (isCrossedOut && moneyIn(textOf(element)))
      add('original price', textOf(element), BLOCK.formerPrice)
    // Whatever else it is called, it is not the price that holds.
    if (isSetAside(element)) continue
    const prop = attr(element, 'itemprop')
    if (prop && attr(element, 'itemscope') === null)
      for (const one of prop.split(/\s+/))
        add(phraseOf(one), valueOf(element, resolve), BLOCK.itemprop, true)
    for (const { name, value } of element.attrs) {
      const data = /^data-([a-z][\w-]{1,30})$/.exec(name)?.[1]
      if (
        data &&
        value !== '' &&
        value.length < 200 &&
        !/^(?:test|qa|toggle|target|src|id|index|component|react|v-)/.test(data)
      )
        add(phraseOf(data), value, BLOCK.dataAttribute, true)
    }
    for (const name of namesOf(element)) {
      const { tagName } = element
      const isImage = tagName === 'img'
      const text = isImage ? '' : textOf(element)
      const value = isImage
        ? resolve(attr(element, 'src') ?? '')
        : tagName === 'time'
          ? (attr(element, 'datetime') ?? text)
          : text
      if (value.length > TEXT_MAX) continue
      // The innermost element of a name is the plainest; wrappers repeat it with more around it.
      add(name, value, isInnermost(element) ? BLOCK.innermostName : BLOCK.outerName)
      if (tagName === 'a') add(`${name} url`, resolve(attr(element, 'href') ?? ''), BLOCK.nameUrl)
    }
    const stars = /star-rating\s+(\w+)/i.exec(attr(element, 'class') ?? '')?.[1]
    if (stars) add('rating', stars, BLOCK.starClass)
    const label = attr(element, 'aria-label') ?? attr(element, 'title')
    if (label && /\d(?:[.,]\d)?\s*(?:out of|\/|von|sur|de)\s*\d|\bstars?\b/i.test(label))
      add('rating', label, BLOCK.starLabel)
  }
  if (isPage) return facts
  const heading = elements.find(
    (element) => /^h[1-6]$/.test(element.tagName) && textOf(element) !== '',
  )
  if (heading) add('title', textOf(heading), BLOCK.heading)
  const links =
    root && 'tagName' in root && root.tagName === 'a'
      ? [root as Element, ...byTag(root, 'a')]
      : byTag(root, 'a')
  const linked = links.filter(
    (link) => attr(link, 'href') && !/^(?:#|javascript:)/.test(attr(link, 'href')!),
  )
  const main =
    (heading && (byTag(heading, 'a')[0] ?? null)) ??
    linked.find((link) => textOf(link) !== '') ??
    linked[0]
  if (main) {
    add('url', resolve(attr(main, 'href') ?? ''), BLOCK.url)
    add(
      'title',
      attr(main, 'title') ?? '',
      heading && byTag(heading, 'a')[0] === main ? BLOCK.linkedHeadingTitle : BLOCK.linkTitle,
    )
    add('title', textOf(main), BLOCK.linkText)
  }
  const image = byTag(root, 'img')[0]
  if (image) {
    const source =
      attr(image, 'data-src') ??
      attr(image, 'data-lazy-src') ??
      attr(image, 'src') ??
      (attr(image, 'srcset') ?? '').split(/[\s,]+/)[0]
    add('image', resolve(source ?? ''), BLOCK.image)
    add('title', attr(image, 'alt') ?? '', BLOCK.imageAlt)
  }
  const time = byTag(root, 'time')[0]
  if (time) add('date', attr(time, 'datetime') ?? textOf(time), BLOCK.time)
  const strong = byTag(root, 'strong', 'b')[0]
  if (strong) add('title', textOf(strong), BLOCK.strong)
  contactFacts(linked, add)
  questionFacts(root, heading, add)
  const text = textOf(root)
  const money = priceIn(text)
  if (money) {
    add('price', money, BLOCK.price)
    add('currency', money, BLOCK.currency)
  }
  const paragraphs = byTag(root, 'p')
    .map(textOf)
    .sort((a, b) => b.length - a.length)
  if (paragraphs[0]) add('description', paragraphs[0], BLOCK.paragraph)
  const score = /\b(\d(?:[.,]\d)?)\s*(?:out of|\/)\s*(?:5|10)\b/.exec(text)?.[1]
  if (score) add('rating', score, BLOCK.ratingInText)
  add('text', text, BLOCK.text)
  if (!heading && text.length < 200) add('title', text, BLOCK.shortText)
  return facts
}

type Add = (key: string, value: unknown, trust: number) => void

function contactFacts(links: readonly Element[], add: Add): void {
  for (const link of links) {
    const match = /^(mailto|tel):([^?]+)/i.exec(attr(link, 'href') ?? '')
    if (match)
      add(
        match[1]!.toLowerCase() === 'tel' ? 'phone' : 'email',
        match[2]!.trim(),
        BLOCK.contactLink,
      )
  }
}

/** A heading that asks, with what follows it as the answer. */
function questionFacts(root: Parent, heading: Element | undefined, add: Add): void {
  const asked = heading ?? byTag(root, 'summary', 'dt', 'button', 'strong')[0]
  const question = asked ? textOf(asked) : ''
  if (!asked || !/[?？؟]$/.test(question)) return
  const whole = textOf(root)
  const at = whole.indexOf(question)
  add('question', question, BLOCK.question)
  add('answer', at < 0 ? '' : whole.slice(at + question.length).trim(), BLOCK.answer)
}
