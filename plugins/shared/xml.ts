/**
 * A small tree of a trusted-to-be-small XML file. Document type declarations are refused, so there
 * are no entities to expand and nothing to fetch; depth and size are capped.
 */
import { SaxesParser } from 'saxes'

export interface XmlNode {
  /** Local name, without its prefix. */
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
  /** Where what stands between its tags begins and ends in the source. */
  from: number
  to: number
}

export const XML_BYTES_MAX = 8 * 1024 * 1024
const NODES_MAX = 400_000
const DEPTH_MAX = 64

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Text of XML bytes in the encoding that its mark or declaration names; UTF-8 without either. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const stated = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(head)?.[1]
  try {
    return new TextDecoder(stated ?? 'utf-8').decode(bytes)
  } catch {
    // An encoding nobody knows: most bytes of an invoice are ASCII anyway.
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** The root element, or null when the text is not well-formed XML or breaks a cap. */
export function parseXml(text: string): XmlNode | null {
  if (text.length > XML_BYTES_MAX) return null
  const source = text.replace(/^\uFEFF/, '').trimStart()
  const skipped = text.length - source.length
  const nodeOf = (name: string, attributes: XmlNode['attributes'], from: number): XmlNode => ({
    name,
    attributes,
    children: [],
    text: '',
    from,
    to: text.length,
  })
  const root = nodeOf('', {}, 0)
  const stack: XmlNode[] = [root]
  let nodes = 0
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', () => {
    throw new Error('document type declarations are refused')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    if (++nodes > NODES_MAX || stack.length > DEPTH_MAX) throw new Error('too large')
    const attributes: Record<string, string> = {}
    for (const [key, value] of Object.entries(tag.attributes))
      attributes[local(key)] = String(value)
    const node = nodeOf(local(tag.name), attributes, skipped + parser.position)
    stack.at(-1)!.children.push(node)
    stack.push(node)
  })
  parser.on('closetag', () => {
    const node = stack.pop()!
    // An empty tag closes where it opens.
    node.to = Math.max(node.from, text.lastIndexOf('</', skipped + parser.position - 1))
  })
  parser.on('text', (value) => {
    stack.at(-1)!.text += value
  })
  parser.on('cdata', (value) => {
    stack.at(-1)!.text += value
  })
  try {
    parser.write(source).close()
  } catch {
    return null
  }
  return root.children[0] ?? null
}

/** First descendant along a path of child names, or null. */
export function at(node: XmlNode | null | undefined, ...path: string[]): XmlNode | null {
  let current: XmlNode | null | undefined = node
  for (const name of path) current = current?.children.find((child) => child.name === name)
  return current ?? null
}
/** All children of a name. */
export function all(node: XmlNode | null | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? []
}
/** Trimmed text of a path, or null when absent or empty. */
export function textAt(node: XmlNode | null | undefined, ...path: string[]): string | null {
  const text = at(node, ...path)
    ?.text.replaceAll(/\s+/g, ' ')
    .trim()
  return text ? text : null
}
/** Number of a path (XML decimals), or null. */
export function numberAt(node: XmlNode | null | undefined, ...path: string[]): number | null {
  const text = textAt(node, ...path)
  const value = text === null ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}
