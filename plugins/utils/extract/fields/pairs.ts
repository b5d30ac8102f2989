/** Labels with their values: definition lists, two-cell rows, "Label: value" lines, adjacent cells. */
import {
  byTag,
  childElements,
  closest,
  elementsOf,
  isBlock,
  isElement,
  isSetAside,
  isText,
  placedElements,
  squeeze,
  textOf,
  type Element,
  type Parent,
} from '../dom/tree.ts'
import { isKnownPhrase, phraseOf } from './keys.ts'
import { pairsOfLinks, pairsOfRows } from './pair-shapes.ts'
import type { Table } from './tables.ts'

export interface Pair {
  label: string
  value: string
  path: string
}

const LABEL_MAX = 50
const VALUE_MAX = 400
const PAIRS_MAX = 3000
/** How many nodes behind a label are looked at for its value. */
const AFTER_MAX = 50
const LINE =
  /^\s*(?:[-*•]\s+)?(?:\*\*)?(\p{L}[\p{L}\p{N} ()/&'’.#_-]{0,48}?)(?:\*\*)?\s*[:：](?:\*\*)?\s+(\S.{0,600})$/u

/** A label that begins a sentence within a line. */
const INLINE = /(?<=[.!?]\s)(\p{Lu}[\p{L} ]{1,24}):\s+([^\s.!?][^!?]{0,80}?)(?=[.!?](?:\s|$)|$)/gu

const isLabel = (text: string): boolean =>
  text !== '' && text.length <= LABEL_MAX && /\p{L}/u.test(text) && text.split(' ').length <= 6

const clean = (label: string): string => label.replace(/[\s:：*]+$/, '')

function fromLists(root: Parent, add: (label: string, value: string, path: string) => void): void {
  /** The label that each list is at. */
  const labels = new Map<Element, string>()
  for (const element of byTag(root, 'dt', 'dd')) {
    const list = closest(element, ({ tagName }) => tagName === 'dl')
    if (!list) continue
    const label = labels.get(list)
    if (element.tagName === 'dt') labels.set(list, textOf(element))
    else if (label) add(label, textOf(element), `dl:${clean(label)}`)
  }
}

function fromTables(
  tables: readonly Table[],
  add: (label: string, value: string, path: string) => void,
): void {
  tables.forEach((table, at) => {
    const rows = table.headers.length === 2 ? [table.headers, ...table.rows] : table.rows
    const isPaired =
      rows.filter((row) => row.length === 2 && isLabel(clean(row[0]!))).length / rows.length
    rows.forEach((row, index) => {
      const path = `table[${at}].rows[${index}]`
      if (row.length === 2 && isPaired > 0.6) add(row[0]!, row[1]!, path)
      // Label, value, label, value in one row, each label ending in a colon.
      else if (row.length % 2 === 0 && row.length > 2) {
        for (let cell = 0; cell < row.length; cell += 2)
          if (/[:：]\s*$/.test(row[cell]!)) add(row[cell]!, row[cell + 1]!, path)
      } else if (row.length === 2 && /[:：]\s*$/.test(row[0]!)) add(row[0]!, row[1]!, path)
    })
  })
}

/** Text up to a break or the next label, after an element that holds a label. */
function textAfter(label: Element, at: number): string {
  const siblings = label.parentNode?.childNodes ?? []
  const parts: string[] = []
  for (let index = at + 1; index < Math.min(siblings.length, at + AFTER_MAX); index += 1) {
    const node = siblings[index]!
    if (isText(node)) parts.push(node.value)
    else if (isElement(node)) {
      if (isSetAside(node)) continue
      if (
        node.tagName === 'br' ||
        (['b', 'strong', 'dt', 'th', 'label'].includes(node.tagName) &&
          /[:：]\s*$/.test(textOf(node)))
      )
        break
      if (isBlock(node)) {
        if (parts.every((part) => part.trim() === '')) parts.push(textOf(node))
        break
      }
      parts.push(textOf(node))
    }
  }
  return squeeze(parts.join(' ')).replace(/^[:：\s]+/, '')
}

const LABEL_NAME =
  /(?:^|[\s_-])(?:label|key|term|name|heading|title|caption|th|attr|property|dt|field)(?:$|[\s_-])/
const VALUE_NAME =
  /(?:^|[\s_-])(?:value|val|data|content|detail|desc|td|text|dd|info|result)(?:$|[\s_-])/

function fromMarkup(root: Parent, add: (label: string, value: string, path: string) => void): void {
  for (const { element, at } of placedElements(root)) {
    if (
      ['b', 'strong', 'label', 'span', 'em', 'h4', 'h5', 'h6', 'div', 'p', 'th', 'small'].includes(
        element.tagName,
      )
    ) {
      const text = element.childNodes.length <= 3 ? textOf(element) : ''
      if (text !== '' && text.length <= LABEL_MAX) {
        const isColon = /[:：]\s*$/.test(text) || /^\s*[:：]/.test(rest(element, at))
        const next = isColon ? textAfter(element, at) : ''
        if (next !== '') add(text, next, `label:${clean(text)}`)
      }
    }
    // <div><span class="label">Weight</span><span class="value">2 kg</span></div>
    const children = childElements(element)
    if (children.length === 2) {
      const [first, second] = children as [Element, Element]
      const names = [first, second].map(
        (one) => one.attrs.find(({ name }) => name === 'class')?.value.toLowerCase() ?? '',
      )
      if (LABEL_NAME.test(names[0]!) && VALUE_NAME.test(names[1]!))
        add(textOf(first), textOf(second), `label:${clean(textOf(first))}`)
    }
  }
}

function rest(element: Element, at: number): string {
  const next = element.parentNode?.childNodes[at + 1]
  return next && isText(next) ? next.value : ''
}

/** Before another label of the same line. */
const NEXT =
  /(?:(?<!\s)\s{2,}|(?<!\s)\s*[,;|•·]\s*)(?=\p{L}[\p{L}\p{N} ()/&'’.#_-]{0,30}?[:：]\s+\S)|\s(?=\p{Lu}\p{L}*[:：]\s+\S)/u
const SHORT_VALUE = 60
/** "Serves 4 · Prep time: 15 min · Cook time: 30 min": what may stand before several pairs. */
const LEAD = /^[^:：.!?]{1,40}$/u
const PAIRS_BEHIND_LEAD = 2

/** The pairs of a line that holds several; one where its parts are no pairs of their own. */
function partsOf(line: string): string[] {
  const [first = '', ...others] = line.split(NEXT)
  const hasLead = others.length >= PAIRS_BEHIND_LEAD && LEAD.test(first)
  const parts = hasLead ? others : [first, ...others]
  const isList = parts.every((part, index) => {
    const [, label, value] = LINE.exec(part) ?? []
    if (label === undefined || !isLabel(label) || value!.length > SHORT_VALUE) return false
    return index === 0 || /^\p{Lu}/u.test(label) || isKnownPhrase(phraseOf(label))
  })
  return isList ? parts : [line]
}

/** "Label: value" lines of a text. */
export function pairsOfText(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const [index, line] of text.split(/\r?\n/).slice(0, 20_000).entries()) {
    for (const part of partsOf(line.slice(0, 700))) {
      const match = LINE.exec(part)
      if (match && isLabel(match[1]!) && pairs.length < PAIRS_MAX)
        pairs.push({ label: match[1]!.trim(), value: match[2]!.trim(), path: `line[${index}]` })
    }
    for (const found of line.matchAll(INLINE)) {
      const value = found[2]!.replace(/,?\s+(?:\S+@\S+|https?:\S+|\+\d[\d ()-]{5,})$/, '').trim()
      if (isKnownPhrase(phraseOf(found[1]!)) && pairs.length < PAIRS_MAX)
        pairs.push({ label: found[1]!, value, path: `line[${index}]` })
    }
  }
  return pairs
}

/** Every pair of a page, the surest kinds first; one label may come more than once. */
export function pairsOfPage(root: Parent, tables: readonly Table[]): Pair[] {
  const pairs: Pair[] = []
  const seen = new Set<string>()
  const add = (label: string, value: string, path: string): void => {
    const name = clean(label)
    if (!isLabel(name) || value === '' || value.length > VALUE_MAX || pairs.length >= PAIRS_MAX)
      return
    const key = `${name}\u0000${value}`
    if (!seen.has(key)) pairs.push({ label: name, value, path })
    seen.add(key)
  }
  fromLists(root, add)
  fromTables(tables, add)
  fromMarkup(root, add)
  pairsOfRows(root, add)
  pairsOfLinks(root, add)
  for (const element of elementsOf(root)) {
    if (!['p', 'li', 'div', 'td', 'span', 'pre', 'address', 'dd'].includes(element.tagName))
      continue
    if (childElements(element).some((child) => isBlock(child) && child.tagName !== 'br')) continue
    if (closest(element, (one) => one.tagName === 'script' || one.tagName === 'style')) continue
    for (const line of linesOf(element))
      for (const pair of pairsOfText(line)) add(pair.label, pair.value, `label:${pair.label}`)
  }
  return pairs
}

function linesOf(element: Element): string[] {
  let text = ''
  const gather = (parent: Element): void => {
    for (const child of parent.childNodes) {
      if (isText(child))
        text += element.tagName === 'pre' ? child.value : child.value.replaceAll(/\s+/g, ' ')
      else if (isElement(child)) {
        if (child.tagName === 'br') text += '\n'
        else if (!isSetAside(child)) gather(child)
      }
    }
  }
  gather(element)
  return text.split('\n')
}
