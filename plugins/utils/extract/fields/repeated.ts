/** Groups of alike blocks in a page: cards of a grid, items of a list, rows without a table. */
import {
  attr,
  childElements,
  type Element,
  elementsOf,
  isElement,
  isInside,
  type Parent,
  textOf,
} from '../dom/tree.ts'

const GROUPS_MAX = 400
const AWAY = new Set(['nav', 'footer', 'head', 'script', 'style', 'select', 'svg'])

function signature(element: Element): string {
  const tokens = (attr(element, 'class') ?? '')
    .slice(0, 500)
    .split(/\s+/)
    // Counters and states differ between alike blocks.
    .filter(
      (token) =>
        token !== '' &&
        !/\d/.test(token) &&
        !/^(?:first|last|odd|even|active|is-|has-|selected|featured)/.test(token),
    )
    .sort()
  return `${element.tagName}.${tokens.join('.')}`
}

function above(element: Element): string {
  const parent = element.parentNode
  return parent && isElement(parent) ? signature(parent) : ''
}

const isAway = (element: Element): boolean => {
  let at: Parent | null = element
  while (at && isElement(at)) {
    if (AWAY.has(at.tagName) || attr(at, 'role') === 'navigation') return true
    at = at.parentNode
  }
  return false
}

export interface Group {
  /** 'li.card in ul.grid'. */
  name: string
  elements: Element[]
}

/** Groups of two and more alike elements with some text, most text first. */
export function groupsOf(root: Parent): Group[] {
  const groups = new Map<string, Element[]>()
  for (const element of elementsOf(root)) {
    if (
      [
        'br',
        'option',
        'td',
        'th',
        'path',
        'meta',
        'link',
        'source',
        'p',
        'b',
        'i',
        'em',
        'strong',
      ].includes(element.tagName)
    )
      continue
    const name = signature(element)
    const isNamed =
      !name.endsWith('.') ||
      ['li', 'tr', 'article', 'dd', 'section', 'div', 'details'].includes(element.tagName)
    if (!isNamed || childElements(element).length === 0) continue
    const key = `${name} in ${above(element)}`
    const group = groups.get(key)
    if (group && !isInside(element, group.at(-1)!)) group.push(element)
    else if (!group) groups.set(key, [element])
  }
  return [...groups]
    .filter(([, elements]) => elements.length >= 2 && !isAway(elements[0]!))
    .map(([name, elements]) => ({
      name,
      elements,
      size: elements.slice(0, 20).reduce((sum, one) => sum + textOf(one).length, 0),
    }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size)
    .slice(0, GROUPS_MAX)
    .map(({ name, elements }) => ({
      name: name.replaceAll('. in', ' in').replace(/\.$/, ''),
      elements,
    }))
}
