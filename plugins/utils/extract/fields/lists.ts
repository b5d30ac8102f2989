/** Strings that hold a list, and lists of things as they wrap their elements. */
import { textsOf } from '../harvest/harvest.ts'
import { isObject, type JsonObject } from '../harvest/json-ld.ts'
import type { Fact } from './facts.ts'
import { groupOf, phraseOf } from './keys.ts'
import { TRUST } from './weights.ts'

/** A list element's own object: {item: {...}} around it says only its position. */
export const unwrapped = (object: JsonObject): JsonObject =>
  isObject(object.item) ? object.item : object

/** Keywords, tags and authors in one string are a list; an address or a sentence is not. */
export function splitList(value: unknown, key: string): unknown[] {
  const texts = textsOf(value)
  if (texts.length !== 1) return texts
  const [text] = texts as [string]
  if (/\n/.test(text))
    return text
      .split(/\n+/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const group = groupOf(key)
  const parts = text.split(/\s*[;|•·]\s*/)
  if (parts.length > 1) return parts.filter((one) => one !== '')
  if (group === 'author') return text.split(/\s*(?:,|\band\b|&)\s*/).filter((one) => one !== '')
  if (
    text.length < 400 &&
    /,/.test(text) &&
    !/\d,\d{3}/.test(text) &&
    !['address', 'description', 'text', 'title', 'location'].includes(group)
  )
    return text.split(/\s*,\s*/).filter((one) => one !== '')
  return [text]
}

/** 'Label: value' pieces of a block's text. */
export function blockPairs(text: string, path: string): Fact[] {
  const facts: Fact[] = []
  for (const match of text.matchAll(
    /(?:^|\s)(\p{Lu}[\p{L} ]{1,24}?)\s*:\s+([^:]{1,80}?)(?=\s+\p{Lu}[\p{L} ]{1,24}?:\s|$)/gu,
  )) {
    facts.push({ key: phraseOf(match[1]!), value: match[2]!.trim(), path, trust: TRUST.block.pair })
  }
  return facts
}
