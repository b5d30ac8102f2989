/** The part of a page that is made of sections with headings of their own, as manuals are. */
import {
  attr,
  childElements,
  type Element,
  elementsOf,
  layoutName,
  type Parent,
  textOf,
} from '../dom/tree.ts'
import type { Layout } from './layout.ts'

const SECTIONS_LEAST = 3
const LISTS_LEAST = 2
/** Of the page's running text. */
const SHARE_LEAST = 0.6

/** The heading that an element begins with, whatever wraps it. */
function openingHeading(element: Element): Element | null {
  let at: Element | undefined = element
  while (at && !/^(?:h[1-6]|dt)$/.test(at.tagName))
    at = childElements(at).find((child) => textOf(child) !== '')
  return at ?? null
}

/** Whether a heading leads to another page, as those of teasers and entries of lists do. */
const leadsAway = (heading: Element): boolean => {
  const links = [...elementsOf(heading)].filter(({ tagName }) => tagName === 'a')
  return links.some((link) => !(attr(link, 'href') ?? '#').startsWith('#'))
}

const kindOf = (element: Element): string => `${element.tagName}.${layoutName(element).trim()}`

/** The outermost element whose children of one kind begin with headings and hold most of the page. */
export const sectionedContainer = (page: Parent, layout: Layout): Element | null =>
  containerOf(page, layout, /^(?:div|section)$/, SECTIONS_LEAST)

/** The same of lists of definitions, as a reference has one for each function, with its name first. */
export const referenceContainer = (page: Parent, layout: Layout): Element | null =>
  containerOf(page, layout, /^dl$/, LISTS_LEAST)

function containerOf(page: Parent, layout: Layout, tags: RegExp, least: number): Element | null {
  const share = layout.prose(page) * SHARE_LEAST
  if (share === 0) return null
  for (const element of elementsOf(page)) {
    if (layout.prose(element) < share) continue
    const kinds = Map.groupBy(
      childElements(element).filter(({ tagName }) => tags.test(tagName)),
      kindOf,
    )
    for (const alike of kinds.values()) {
      if (alike.length < least) continue
      const sections = alike.filter((one) => {
        const heading = layout.skips(one) ? null : openingHeading(one)
        return heading !== null && !leadsAway(heading)
      })
      const held = sections.reduce((sum, one) => sum + layout.prose(one), 0)
      if (sections.length >= least && held >= share) return element
    }
  }
  return null
}
