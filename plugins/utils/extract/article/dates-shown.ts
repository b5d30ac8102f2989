/** Dates that a page shows: time elements, named elements, labelled dates near the headline. */
import {
  attr,
  closest,
  elementsOf,
  isElement,
  layoutName,
  openingText,
  textOf,
  textSizes,
  withinTest,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { entryTest } from './entries.ts'
import { type DateOptions, findDate, parseDate } from './parse-date.ts'
import type { Found } from './phrases.ts'

const TEXT_MAX = 160
const AWAY =
  /(?:^|[\s_-])(?:comments?|comment-?\w+|related|sidebar|widget|footer|recommend\w*|popular|trending|most-?read|copyright|teaser\w*|events?-?list|calendar|upcoming|ticker|promo)(?:$|[\s_-])/
const ENTRY_FOOTER =
  /(?:^|[\s_-])(?:post|entry|article|story|content|docs?|page)-?footer(?:$|[\s_-])/
const DATED =
  /(?:^|[\s_-])(?:(?:\w+-)?(?:date|time|datetime|dateline|published|pubdate|publish\w*|posted|timestamp|time-?stamp|updated|meta|created|submitted|byline|datum|fecha|data)(?:-\w+)?)(?:$|[\s_-])/
const UPDATED =
  /updat|modif|revis|edited|changed|aktuali[sz]|geändert|mis à jour|actuali[sz]|aggiorn|atuali[sz]|обновл|оновл|bijgewerkt|zaktuali|oppdater|uppdater|opdater|päivitet|güncelle|更新|修改|수정|تحديث|עודכן/i
const PUBLISHED =
  /publi|posted|first appeared|erschienen|veröffentlich|опублик|pubblicat|geplaatst|gepubliceerd|dodan[oy]|opublik|julkaist|yayın|发布|發佈|發布|掲載|公開|投稿|게시|등록|입력|نشر|פורסם/i
/** Dates of a paper's way through review, of an event: neither publication nor change. */
const OTHER = /received|accepted|submitted|deadline|event|valid|expires|born|died|geboren/i

const OTHER_NAME =
  /(?:^|[\s_-])(?:events?|deadline|expir\w+|valid\w*|start-?date|end-?date|birth\w*|joined)(?:$|[\s_-])/

interface Shown extends Found {
  score: number
}

function isFurniture(one: Element): boolean {
  const name = layoutName(one)
  if (AWAY.test(name)) return !ENTRY_FOOTER.test(name)
  if (one.tagName === 'aside' || one.tagName === 'nav') return true
  return one.tagName === 'footer' && closest(one, ({ tagName }) => tagName === 'article') === null
}

interface Dated {
  value: string
  /** What stands before it, back to the date before. */
  label: string
  /** Characters of the text that are not this date. */
  around: number
}

/** Every date of a short text with the words before it. */
function datesIn(text: string, options: DateOptions): Dated[] {
  const found: Dated[] = []
  let from = 0
  for (let round = 0; round < 4; round += 1) {
    const one = findDate(text.slice(from), options)
    if (!one) break
    found.push({
      value: `${one.date}${one.time}`,
      label: text.slice(from, from + one.index).slice(-40),
      around: text.length - one.text.length,
    })
    from += one.index + one.text.length
  }
  return found
}

function machineDate(element: Element, options: DateOptions): string | null {
  const prop = attr(element, 'itemprop') ?? ''
  const given =
    attr(element, 'datetime') ??
    attr(element, 'data-datetime') ??
    attr(element, 'data-timestamp') ??
    (/date/i.test(prop) ? attr(element, 'content') : null) ??
    (/^\d{4}-\d{2}-\d{2}/.test(attr(element, 'title') ?? '') ? attr(element, 'title') : null)
  return given ? parseDate(given, options) : null
}

interface ShownDates {
  published: Shown | null
  modified: Shown | null
  /** Dates of events, members and entries of a list, which are none of the page. */
  others: Set<string>
}

/** The likeliest dates of publication and change, each with how sure it is. */
export function shownDates(page: Document, options: DateOptions): ShownDates {
  const best: ShownDates = { published: null, modified: null, others: new Set() }
  const isInEntry = entryTest()
  const isAway = withinTest(isFurniture)
  const offer = (kind: 'published' | 'modified', one: Shown): void => {
    if (!best[kind] || one.score > best[kind]!.score) best[kind] = one
  }
  let headlineSeen = false
  let textSeen = 0
  let order = 0
  const sizeOf = textSizes(page)
  for (const element of elementsOf(page)) {
    const { tagName } = element
    if (['script', 'style', 'template', 'noscript', 'title'].includes(tagName)) continue
    if (tagName === 'h1') headlineSeen = true
    if (tagName === 'p') textSeen += textOf(element).length
    const isTime = tagName === 'time' || tagName === 'relative-time'
    const prop = attr(element, 'itemprop') ?? ''
    const name = layoutName(element)
    const isDated = DATED.test(name) || /date/i.test(attr(element, 'data-testid') ?? '')
    const isSmall = element.childNodes.length <= 6 && tagName !== 'body'
    if (!isTime && !/date/i.test(prop) && !isSmall) continue
    const isRead = isSmall || isTime || isDated
    if (isRead && sizeOf(element) > TEXT_MAX) continue
    const text = isRead ? textOf(element) : ''
    if (text.length > TEXT_MAX) continue
    const machine = machineDate(element, options)
    const dates = machine ? [{ value: machine, label: text, around: 0 }] : datesIn(text, options)
    if (dates.length === 0 || isAway(element)) continue
    if (OTHER_NAME.test(name) || isInEntry(element)) {
      for (const { value } of dates) best.others.add(value.slice(0, 10))
      continue
    }
    let base = isTime ? 5 : isDated ? 4 : 1
    if (headlineSeen) base += 0.5
    if (textSeen > 400) base -= 2.5
    const parent = element.parentNode
    const before = parent && isElement(parent) ? openingText(parent, 40).slice(0, 40) : ''
    for (const { value, label, around } of dates) {
      if (OTHER.test(label)) best.others.add(value.slice(0, 10))
      const said = `${prop} ${dates.length > 1 ? '' : name} ${label.slice(-40)}`
      const isPublished = PUBLISHED.test(said) || attr(element, 'pubdate') !== null
      const isUpdate =
        (UPDATED.test(said) && !PUBLISHED.test(label)) ||
        (isTime && UPDATED.test(before) && !PUBLISHED.test(before))
      const score =
        base +
        (isPublished ? 2 : 0) -
        // A sentence that mentions a date is not a dateline.
        (!isTime && !machine && dates.length === 1 && around > 60 ? 2.5 : 0) -
        (OTHER.test(label) ? 4 : 0) -
        order * 0.1
      offer(isUpdate ? 'modified' : 'published', { value, path: `html.${tagName}`, score })
    }
    order += 1
  }
  return best
}
