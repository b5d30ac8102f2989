/**
 * Elements without markup. Everything shown here may come from an untrusted caller (key names,
 * skill ids, URLs, errors), so text only ever becomes a text node or an attribute that runs nothing.
 */

export type Child = Node | string | number | null | undefined | false | readonly Child[]
export type Attributes = Record<string, string | number | boolean | null | undefined> & {
  /** Goes through `safeHref`. */
  href?: string
}
export type Listeners = {
  [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void
}

/** An element; attributes that are null, undefined or false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (name.startsWith('on') || name === 'srcdoc' || name === 'style') {
      throw new Error(`${name} is not an attribute for data`)
    }
    const text = value === true ? '' : String(value)
    element.setAttribute(name, name === 'href' ? safeHref(text) : text)
  }
  append(element, children)
  return element
}

/** The same element with listeners. */
export function listening<E extends HTMLElement>(element: E, listeners: Listeners): E {
  for (const [event, listener] of Object.entries(listeners)) {
    element.addEventListener(event, listener as EventListener)
  }
  return element
}

/** A button that does something here (it never submits a form). */
export function button(
  text: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLElement {
  return listening(h('button', { type: 'button', ...attributes }, text), { click: onClick })
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child)
    else if (child instanceof Node) parent.appendChild(child)
    else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(document.createTextNode(String(child)))
    }
  }
}

/** Only places of this page and of this origin; anything else leads nowhere. */
export function safeHref(text: string): string {
  return /^(#|\/(?![/\\]))/.test(text) ? text : '#'
}
