/** A page's own markup without what a reader has no use of: scripts, styles, handlers, layout. */
import { attr, type Element, isElement, isText, type Parent } from './tree.ts'

const LEFT_OUT = new Set(
  'script style template noscript iframe object embed link meta head canvas svg form input select textarea button'.split(
    ' ',
  ),
)
const KEPT = new Set(
  'a abbr article b blockquote br caption cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li main mark ol p pre q s section small span strong sub summary sup table tbody td tfoot th thead time tr u ul video audio source'.split(
    ' ',
  ),
)
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  time: ['datetime'],
  ol: ['start'],
  video: ['src', 'poster'],
  audio: ['src'],
  source: ['src', 'type'],
}
const VOID = new Set(['br', 'hr', 'img', 'source'])
const ADDRESSES = new Set(['href', 'src', 'poster'])

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The markup below `root`; `skips` leaves whole parts out, `resolve` makes addresses absolute. */
export function cleanHtml(
  root: Parent,
  skips: (element: Element) => boolean,
  resolve: (reference: string) => string,
): string {
  const out: string[] = []
  const visit = (parent: Parent): void => {
    for (const child of parent.childNodes) {
      if (isText(child)) out.push(escaped(child.value))
      else if (isElement(child) && !LEFT_OUT.has(child.tagName) && !skips(child)) {
        const { tagName } = child
        const isKept = KEPT.has(tagName)
        if (isKept) out.push(`<${tagName}${attributesOf(child, resolve)}>`)
        if (VOID.has(tagName)) continue
        visit(child)
        if (isKept) out.push(`</${tagName}>`)
      }
    }
  }
  visit(root)
  return out
    .join('')
    .replaceAll(/\n\s*\n+/g, '\n')
    .trim()
}

function attributesOf(element: Element, resolve: (reference: string) => string): string {
  let text = ''
  for (const name of ATTRIBUTES[element.tagName] ?? []) {
    const given = attr(element, name)
    if (given === null) continue
    if (ADDRESSES.has(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(given)) continue
    const value = ADDRESSES.has(name) ? resolve(given) : given
    text += ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`
  }
  return text
}
