/** What a page shows that could be its headline. */
import {
  attr,
  byTag,
  childElements,
  closest,
  elementsOf,
  isElement,
  layoutName,
  layoutNamed,
  rawText,
  squeeze,
  textOf,
  textSizes,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { fold, words } from './phrases.ts'

const HEADLINE_MAX = 300
const LABEL_WORDS_MAX = 4
/** A headline with the label inside of it. */
const LABELLED_MAX = 2 * HEADLINE_MAX
const FURNITURE =
  /(?:^|[\s_-])(?:logo|site-?title|site-?name|blog-?title|brand|branding|sidebar|related|widget|comments?|footer|navbar|masthead|breadcrumbs?|crumbs?)(?:$|[\s_-])/
const HEADLINE =
  /(?:^|[\s_-])(?:headline|hed|entry-?title|post-?title|article-?title|story-?title|news-?title|page-?title|content-?title|title|lbl-?title|titulo|titel|titre|contentheading|heading)(?:$|[\s_-])/

/** Things of a page whose name is not that of what it says. */
const NAMED_ELSE = /(?:Organization|Corporation|Brand|WebSite|BreadcrumbList|ListItem)$/
/** What stands inside of a heading and is no part of what it says: its section, links to edit it. */
const LABEL = layoutNamed(
  'kicker|label|eyebrow|overline|rubric|category|badge|flag|topic|(?:mw-)?edit-?section|edit-link',
)

export const isFurniture = (element: Element): boolean =>
  closest(
    element,
    (one) =>
      FURNITURE.test(layoutName(one)) ||
      ['nav', 'footer', 'aside'].includes(one.tagName) ||
      NAMED_ELSE.test(attr(one, 'itemtype') ?? ''),
  ) !== null

/** A heading around a link to the start page names the site. */
export function isLogo(element: Element): boolean {
  const link = byTag(element, 'a')[0]
  const href = link && attr(link, 'href')?.trim()
  return (
    href !== undefined &&
    href !== null &&
    textOf(link!) === textOf(element) &&
    /^(?:\.?\/|(?:https?:)?\/\/[^/]+\/?|\/?index\.\w+|\/?home\/?)$/i.test(href)
  )
}

export interface Heading {
  text: string
  path: string
  /** h1, or marked up as the headline by its name. */
  isMain: boolean
}

function isMarkedHeadline(element: Element): boolean {
  if ((attr(element, 'itemprop') ?? '').split(/\s+/).includes('headline')) return true
  return (
    /^(?:h[2-4]|div|span|p|td)$/.test(element.tagName) &&
    childElements(element).length <= 3 &&
    HEADLINE.test(layoutName(element).replaceAll(/(?<=lbl|txt)(?=title)/g, '-'))
  )
}

/** A heading's text without labels and buttons, or without the piece that the stated titles lack. */
function headlineText(element: Element, parts: ReadonlySet<string>): string {
  const whole = textOf(element)
  if (parts.has(fold(whole))) return whole
  for (const child of childElements(element)) {
    const own = words(textOf(child)).length
    if (own === 0 || own > LABEL_WORDS_MAX) continue
    const others = element.childNodes.filter((one) => one !== child)
    const rest = squeeze(
      others.map((one) => (isElement(one) ? textOf(one) : rawText(one))).join(' '),
    )
    const isApart = child.tagName === 'button' || LABEL.test(layoutName(child))
    const isStated = parts.has(fold(rest)) && words(rest).length > 1
    if (rest !== '' && (isApart || isStated)) return rest
  }
  return whole
}

/** Every text that could be the headline: h1, named ones, and what repeats a part of the title. */
export function headingsOf(page: Document, parts: ReadonlySet<string>): Heading[] {
  const found: Heading[] = []
  const sizeOf = textSizes(page)
  for (const element of elementsOf(page)) {
    const { tagName } = element
    if (['title', 'script', 'style', 'option', 'a'].includes(tagName)) continue
    const isFirst =
      tagName === 'h1' ||
      (attr(element, 'role') === 'heading' && attr(element, 'aria-level') === '1')
    const isMarked = !isFirst && isMarkedHeadline(element)
    const isSmall = childElements(element).length <= 2
    if ((!isFirst && !isMarked && !isSmall) || sizeOf(element) > LABELLED_MAX) continue
    const text = headlineText(element, parts)
    if (text === '' || text.length > HEADLINE_MAX) continue
    const isPart = isSmall && parts.has(fold(text)) && words(text).length > 1
    if ((!isFirst && !isMarked && !isPart) || isFurniture(element) || isLogo(element)) continue
    found.push({ text, path: `html.${tagName}`, isMain: isFirst || isMarked })
  }
  return found
}
