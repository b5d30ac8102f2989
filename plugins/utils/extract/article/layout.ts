/** Which parts of a page are furniture: judged by element, role and layout names, never by size alone. */
import {
  attr,
  type Element,
  isElement,
  isHidden,
  isText,
  isTextBox,
  layoutName,
  layoutNamed,
  openingText,
  type Parent,
} from '../dom/tree.ts'
import { CONSENT_NAMES, FURNITURE_NAMES } from './furniture-names.ts'

const FURNITURE_TAGS = new Set(
  'nav footer aside form button select textarea input label dialog menu figcaption audio video canvas map embed noscript script style template svg iframe object head link meta'.split(
    ' ',
  ),
)
/** Never text of a page, whatever they hold. */
const ALWAYS = new Set(
  'script style template svg iframe object head link meta canvas audio video map embed select textarea input button'.split(
    ' ',
  ),
)
const ROLES =
  /^(navigation|contentinfo|complementary|search|dialog|alertdialog|alert|menu|menubar|toolbar|tablist|banner)$/

const NAMES = layoutNamed(FURNITURE_NAMES.join('|'))
const CONSENT = layoutNamed(CONSENT_NAMES.join('|'))
/** What a consent banner talks about, in the languages of many sites; two of them make it one. */
const CONSENT_TALK =
  /cookies?\b|your consent|personal data|legitimate interest|\bour \d* ?partners|\d+ (?:partners|vendors)|privacy policy|withdraw|einwilligung|personenbezogen|datenschutz|berechtigt\w+ interesse|données personnelles|consentement|nos \d* ?partenaires|datos personales|consentimiento|nuestros \d* ?socios|dados pessoais|dati personali|consenso|persoonsgegevens|toestemming|zgod[ay]|dane osobowe|персональн\w+ данн/giu
const CONSENT_LOOK = 3000
const HEADER_NAMES = layoutNamed(
  'byline|post-?meta|entry-?meta|article-?meta|timestamp|post-?date|posted-?on',
)

/** A part with a larger share of the page's running text than this is no furniture. */
const SHARE_MAX = 0.3

export interface Layout {
  /** Whether the element and all below it are left out of the article. */
  skips(element: Element): boolean
  /** Characters of running text (in paragraphs or long texts) below an element. */
  prose(parent: Parent): number
}

const textLength = (value: string): number => value.replaceAll(/\s+/g, ' ').trim().length

function proseBelow(parent: Parent, sums: Map<Parent, number>): number {
  let sum = 0
  for (const child of parent.childNodes) {
    if (isText(child)) {
      const length = textLength(child.value)
      // Menus and tables are made of short texts; sentences, also with links in them, are long.
      if (length >= 30) sum += length
    } else if (isElement(child) && !ALWAYS.has(child.tagName)) sum += proseBelow(child, sums)
  }
  sums.set(parent, sum)
  return sum
}

const isHeading = (parent: Parent | null): boolean =>
  parent !== null && isElement(parent) && /^(?:h[1-6]|summary|dt)$/.test(parent.tagName)

/** Whether an element asks for consent, by its name or role and by what it says. */
function isConsent(element: Element): boolean {
  const isNamed =
    CONSENT.test(layoutName(element)) || (attr(element, 'role') ?? '').endsWith('dialog')
  if (!isNamed || element.tagName === 'article') return false
  const said = openingText(element, CONSENT_LOOK).toLowerCase().match(CONSENT_TALK)
  return new Set(said).size >= 2
}

export function layoutOf(page: Parent): Layout {
  const sums = new Map<Parent, number>()
  const total = Math.max(1, proseBelow(page, sums))
  const isLarge = (element: Element): boolean => (sums.get(element) ?? 0) / total > SHARE_MAX
  const memo = new Map<Element, boolean>()

  function judge(element: Element): boolean {
    if (element.tagName !== 'button' && ALWAYS.has(element.tagName)) return true
    if (element.tagName === 'html' || element.tagName === 'body' || element.tagName === 'main')
      return false
    // A question inside of a heading opens its answer.
    if (element.tagName === 'button' && isHeading(element.parentNode)) return false
    if (isConsent(element)) return true
    const name = layoutName(element)
    const suspect =
      (FURNITURE_TAGS.has(element.tagName) && !isTextBox(element)) ||
      ROLES.test(attr(element, 'role') ?? '') ||
      isHidden(element) ||
      NAMES.test(name) ||
      (name.includes('_') && NAMES.test(name.replaceAll('_', '-')))
    if (!suspect || isLarge(element)) return false
    if (element.tagName === 'article' || attr(element, 'itemprop') === 'articleBody') return false
    // A header line that was named so holds no sentences.
    if (HEADER_NAMES.test(layoutName(element)) && (sums.get(element) ?? 0) > 600) return false
    return true
  }

  return {
    skips(element) {
      let verdict = memo.get(element)
      if (verdict === undefined) memo.set(element, (verdict = judge(element)))
      return verdict
    },
    prose: (parent) => sums.get(parent) ?? 0,
  }
}
