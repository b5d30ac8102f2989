/**
 * Further documents given with a description that is written in several files: they are put into
 * it under one key, and every reference to one of them is turned into one to that place.
 */
import { escapePointer } from '../../shared/json-pointer.ts'
import { isMap, type JsonMap } from './pointer.ts'

/** Where the further documents stand in the bundle. */
const KEY = 'x-coinop-documents'
const PREFIX = `/${KEY}/`

/** `root` with the documents of `further` by name; both are changed. */
export function bundle(root: JsonMap, further: ReadonlyMap<string, JsonMap>): JsonMap {
  if (further.size === 0) return root
  const names = new Set(further.keys())
  rewrite(root, '', names)
  for (const [name, document] of further) rewrite(document, name, names)
  root[KEY] = Object.fromEntries(further)
  return root
}

/** A pointer into a bundle as its reader knows it: `common.yaml#/components/…` for a further document. */
export function unbundled(pointer: string): string {
  if (!pointer.startsWith(PREFIX)) return pointer
  const [name = '', ...rest] = pointer.slice(PREFIX.length).split('/')
  const path = rest.map((key) => `/${key}`).join('')
  return `${name.replaceAll('~1', '/').replaceAll('~0', '~')}#${path}`
}

function rewrite(document: unknown, name: string, names: ReadonlySet<string>): void {
  const seen = new Set<object>()
  const stack: unknown[] = [document]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isMap(value) && typeof value.$ref === 'string')
      value.$ref = rewritten(value.$ref, name, names)
    stack.push(...Object.values(value))
  }
}

function rewritten(reference: string, from: string, names: ReadonlySet<string>): string {
  const at = reference.indexOf('#')
  const file = at === -1 ? reference : reference.slice(0, at)
  const fragment = at === -1 ? '' : reference.slice(at + 1)
  // What an `$anchor` names is looked for in the whole bundle.
  if (fragment !== '' && !fragment.startsWith('/')) return file === '' ? reference : `#${fragment}`
  const name = file === '' ? from : nameOf(file, from, names)
  if (name === null) return reference
  return name === '' ? reference : `#${PREFIX}${encodeURIComponent(escapePointer(name))}${fragment}`
}

/** The given document that a reference means: by its very text, or relative to where it stands. */
function nameOf(file: string, from: string, names: ReadonlySet<string>): string | null {
  if (names.has(file)) return file
  const base = 'coinop://documents/'
  try {
    const url = new URL(file, new URL(from, base)).href
    for (const name of names) if (new URL(name, base).href === url) return name
  } catch {
    // A reference that is no URL means nothing that was given.
  }
  return null
}
