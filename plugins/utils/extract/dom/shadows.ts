/** Shadow trees that a page writes as markup (`<template shadowrootmode>`), in the places where they are shown. */
import { defaultTreeAdapter as adapter } from 'parse5'
import {
  attr,
  byTag,
  type Document,
  type Element,
  flattenBelow,
  isElement,
  isText,
  type Node,
  type Parent,
  rawText,
} from './tree.ts'

/** Puts every shadow tree in place of what its host holds, and that into the slots (HTML standard 4.12.4). */
export function showShadows(page: Document): void {
  const stack: Parent[] = [page]
  for (let parent = stack.pop(); parent; parent = stack.pop()) {
    const root = isElement(parent) ? shadowOf(parent) : null
    if (root) show(parent as Element, root)
    stack.push(...parent.childNodes.filter(isElement))
  }
  flattenBelow(page)
}

function shadowOf(host: Element): Parent | null {
  const template = host.childNodes.find(
    (child) => isElement(child) && attr(child, 'shadowrootmode') !== null && 'content' in child,
  )
  return template ? adapter.getTemplateContent(template as never) : null
}

function show(host: Element, root: Parent): void {
  // Its styles are for itself alone.
  for (const style of byTag(root, 'style', 'link')) adapter.detachNode(style)
  const slots = byTag(root, 'slot')
  const light = Map.groupBy(host.childNodes, slotOf)
  if (slots.length === 0 && rawText(root).trim() === '') return
  host.childNodes = []
  adopt(host, root.childNodes)
  for (const slot of slots) {
    const name = attr(slot, 'name') ?? ''
    const assigned = light.get(name) ?? []
    if (!assigned.some((child) => isElement(child) || rawText(child).trim() !== '')) continue
    // The first slot of a name gets what is for it.
    light.delete(name)
    slot.childNodes = []
    adopt(slot, assigned)
  }
}

/** The name of the slot that a child of a host goes into; null for what is never shown. */
function slotOf(child: Node): string | null {
  if (isText(child)) return ''
  return isElement(child) && !('content' in child) ? (attr(child, 'slot') ?? '') : null
}

function adopt(parent: Element, children: readonly Node[]): void {
  for (const child of children) {
    child.parentNode = parent
    parent.childNodes.push(child)
  }
}
