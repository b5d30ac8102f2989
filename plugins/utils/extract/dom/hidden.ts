/**
 * Takes out of a page what nobody sees who opens it: parts that are not displayed, text without size
 * or colour, text beside the screen, and what stands there for browsers without scripts. Such text is
 * often there for machines alone, and what it says is not what the page says.
 */
import {
  attr,
  type Document,
  type Element,
  isElement,
  isText,
  type Node,
  type Parent,
  squeeze,
} from './tree.ts'
import { type Declarations, type Styles, stylesOf } from './styles.ts'

/** What an element takes over from those around it. */
interface Inherited {
  isInvisible: boolean
  isSizeless: boolean
  isColourless: boolean
}

/** A page of which less text than this is left is one that scripts show later. */
const LEFT_LEAST = 200
const NEVER_HIDDEN = new Set(['html', 'body', 'main'])
/** Their text is no text of the page in any case. */
const KEPT = new Set(['head', 'script', 'style', 'template', 'meta', 'link'])

const isZero = (value: string | undefined): boolean =>
  value !== undefined && /^[-+]?0*\.?0*(?:px|em|rem|pt|%|vh|vw)?$/.test(value) && /0/.test(value)
const isFarOff = (value: string | undefined): boolean =>
  value !== undefined && /^-\d{4,}(?:\.\d+)?px$|^-\d{3,}(?:\.\d+)?(?:em|rem|vw|%)$/.test(value)

/** `rect(0, 0, 0, 0)` and `rect(1px, 1px, 1px, 1px)`: a window of no size. */
const NOTHING_CLIPPED = /^rect\((?:0(?:px)?[\s,]*){4}\)$|^rect\((?:1px[\s,]*){4}\)$/

/** Whether the whole part is not displayed, children and all. */
function isGone(element: Element, style: Declarations): boolean {
  const { tagName } = element
  // The source of a formula stands beside what is shown of it.
  if (tagName === 'noscript' || /^annotation(?:-xml)?$/.test(tagName)) return true
  if (tagName === 'dialog' && attr(element, 'open') === null) return true
  const hidden = attr(element, 'hidden')
  const display = style.get('display')
  if (hidden !== null && hidden !== 'until-found' && (display === undefined || display === 'none'))
    return true
  if (display === 'none') return true
  // What comes in slowly starts transparent.
  const isMoving = ['transform', 'transition', 'animation', 'will-change'].some((name) =>
    [...style.keys()].some((key) => key.startsWith(name)),
  )
  if (isZero(style.get('opacity')) && !isMoving) return true
  const isClipped = /hidden|clip/.test(style.get('overflow') ?? '')
  const sides = ['width', 'height', 'max-width', 'max-height'].map((name) => style.get(name))
  if (isClipped && sides.some(isZero)) return true
  const isPlaced = /absolute|fixed/.test(style.get('position') ?? '')
  if (isPlaced && ['left', 'right', 'top'].some((name) => isFarOff(style.get(name)))) return true
  if (isPlaced && NOTHING_CLIPPED.test(style.get('clip') ?? '')) return true
  if (/^inset\((?:50|100)%\)$/.test(style.get('clip-path') ?? '')) return true
  return isFarOff(style.get('text-indent'))
}

function inheritedBy(style: Declarations, from: Inherited): Inherited {
  if (style.size === 0) return from
  const visibility = style.get('visibility')
  const size = style.get('font-size')
  const colour = style.get('color')
  const ground = style.get('background-color') ?? style.get('background')
  const isColourless =
    colour === undefined
      ? from.isColourless
      : /^(?:transparent|rgba\([^)]*,\s*0(?:\.0+)?\s*\))$/.test(colour) ||
        (ground !== undefined && sameColour(colour, ground))
  return {
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? from.isInvisible
        : visibility !== 'visible',
    isSizeless: size === undefined || size === 'inherit' ? from.isSizeless : isZero(size),
    isColourless,
  }
}

const NAMED: Readonly<Record<string, string>> = { white: 'ffffff', black: '000000' }

function sameColour(one: string, other: string): boolean {
  const plain = (text: string): string => {
    const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(text)?.[1]
    if (hex) return hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
    return NAMED[text] ?? text
  }
  return plain(one) === plain(other)
}

/** Characters of text below a node that are left out of no count. */
function lengthBelow(parent: Parent): number {
  let sum = 0
  for (const child of parent.childNodes) {
    if (isText(child)) sum += squeeze(child.value).length
    else if (isElement(child) && !KEPT.has(child.tagName)) sum += lengthBelow(child)
  }
  return sum
}

/** Nodes that nobody sees: whole elements, and texts of elements whose children may be seen. */
function unseen(parent: Parent, styles: Styles, from: Inherited, into: Set<Node>): void {
  for (const child of parent.childNodes) {
    if (isText(child)) {
      if (from.isInvisible || from.isSizeless || from.isColourless) into.add(child)
    } else if (isElement(child) && !KEPT.has(child.tagName)) {
      const style = styles.of(child)
      if (!NEVER_HIDDEN.has(child.tagName) && isGone(child, style)) into.add(child)
      else {
        const own = inheritedBy(style, from)
        // A page that is invisible as a whole is one that scripts show.
        const isWhole = NEVER_HIDDEN.has(child.tagName)
        unseen(child, styles, isWhole ? { ...own, isInvisible: false } : own, into)
      }
    }
  }
}

function without(parent: Parent, gone: ReadonlySet<Node>): void {
  parent.childNodes = parent.childNodes.filter((node) => !gone.has(node))
  for (const child of parent.childNodes) if (isElement(child)) without(child, gone)
}

/**
 * Removes what nobody sees from the page. A page that would be left all but empty is one that its
 * scripts show later: of it only what stands there for browsers without scripts is removed.
 */
export function removeUnseen(page: Document): void {
  const gone = new Set<Node>()
  const seen = { isInvisible: false, isSizeless: false, isColourless: false }
  unseen(page, stylesOf(page), seen, gone)
  if (gone.size === 0) return
  const isNoscript = (node: Node): boolean => isElement(node) && node.tagName === 'noscript'
  const scriptless = new Set([...gone].filter(isNoscript))
  without(page, scriptless)
  const all = lengthBelow(page)
  const hidden = [...gone]
    .filter((node) => !isNoscript(node))
    .reduce((sum, node) => sum + (isText(node) ? squeeze(node.value).length : lengthOf(node)), 0)
  if (all - hidden < LEFT_LEAST && hidden > (all - hidden) * 5) return
  without(page, gone)
}

const lengthOf = (node: Node): number => ('childNodes' in node ? lengthBelow(node) : 0)
