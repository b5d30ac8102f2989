/**
 * The little of a page's own style sheets that says whether text is seen: declarations under plain
 * selectors (`.note`, `p.note`, `#note`, and lists of them). No sheet is fetched, and what stands
 * under a condition other than any screen or under a combinator is not read.
 */
import { attr, byTag, type Document, type Element, rawText } from './tree.ts'

export type Declarations = ReadonlyMap<string, string>

interface Rule {
  tag: string | null
  id: string | null
  classes: readonly string[]
  /** Ids count more than classes, classes more than tags; the later of two equal ones wins. */
  weight: number
  declarations: Declarations
}

/** Longest sheet that is read, and most rules of a page. */
const SHEET_MAX = 200_000
const RULES_MAX = 5_000
const DEPTH_MAX = 3
/** Rules that are tried on elements at all: a page of thousands of rules for one class of all its elements stops there. */
const TRIES_MAX = 3_000_000
const SIMPLE = /^([a-z][\w-]*)?((?:[.#][\w-]+)*)$/i
const READ =
  /display|visibility|opacity|font-size|width|height|overflow|position|left|right|top|text-indent|text-decoration|color|background|clip|transform|transition|animation|will-change/

/** `name: value` pairs in lower case, the last of a name; important ones win. */
export function declarationsOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const important = new Set<string>()
  for (const part of text.slice(0, SHEET_MAX).split(';')) {
    const at = part.indexOf(':')
    if (at < 0) continue
    const name = part.slice(0, at).trim().toLowerCase()
    if (!READ.test(name)) continue
    const value = part
      .slice(at + 1)
      .trim()
      .toLowerCase()
    const isImportant = value.includes('!important')
    if (important.has(name) && !isImportant) continue
    if (isImportant) important.add(name)
    found.set(name, value.replace(/\s*!important\b/, ''))
  }
  return found
}

/** Blocks whose rules hold on every screen. */
const UNCONDITIONAL = /^@(?:media\s+(?:only\s+)?(?:all|screen)|layer(?:\s+[\w.-]+)?)$/i

function rulesOf(sheet: string, depth = 0): Rule[] {
  const rules: Rule[] = []
  const text = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  let at = 0
  while (at < text.length && rules.length < RULES_MAX) {
    const open = text.indexOf('{', at)
    if (open < 0) break
    const head = text.slice(at, open).split(';').at(-1)!.trim()
    if (head.startsWith('@')) {
      at = behindBlock(text, open)
      if (UNCONDITIONAL.test(head) && depth < DEPTH_MAX)
        rules.push(...rulesOf(text.slice(open + 1, at - 1), depth + 1))
      continue
    }
    const close = text.indexOf('}', open)
    if (close < 0) break
    const declarations = declarationsOf(text.slice(open + 1, close))
    if (declarations.size > 0)
      for (const selector of head.split(',')) {
        const rule = ruleOf(selector.trim(), declarations)
        if (rule) rules.push(rule)
      }
    at = close + 1
  }
  return rules
}

function behindBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return text.length
}

function ruleOf(selector: string, declarations: Declarations): Rule | null {
  const match = SIMPLE.exec(selector)
  if (!match || selector === '') return null
  const names = match[2]!.match(/[.#][\w-]+/g) ?? []
  const ids = names.filter((name) => name.startsWith('#')).map((name) => name.slice(1))
  const classes = names.filter((name) => name.startsWith('.')).map((name) => name.slice(1))
  if (ids.length > 1) return null
  const tag = match[1]?.toLowerCase() ?? null
  const weight = ids.length * 10_000 + classes.length * 100 + (tag ? 1 : 0)
  return { tag, id: ids[0] ?? null, classes, weight, declarations }
}

export interface Styles {
  /** What the page's own sheets and the element's attribute say of it, nothing inherited. */
  of(element: Element): Declarations
}

const NONE: Declarations = new Map()

/** The page's own styles. */
export function stylesOf(page: Document): Styles {
  const byKey = new Map<string, Rule[]>()
  for (const style of byTag(page, 'style')) {
    const media = attr(style, 'media')
    if (media !== null && !/^(?:all|screen)?$/i.test(media.trim())) continue
    for (const rule of rulesOf(rawText(style).slice(0, SHEET_MAX))) {
      const key = rule.id ? `#${rule.id}` : rule.classes[0] ? `.${rule.classes[0]}` : rule.tag!
      const others = byKey.get(key)
      if (others) others.push(rule)
      else byKey.set(key, [rule])
    }
  }
  let tries = 0
  /** Declarations of the sheets by tag, classes and id. */
  const known = new Map<string, Declarations>()
  const ofSheets = (element: Element): Declarations => {
    const classes = (attr(element, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 50)
    const id = attr(element, 'id')
    const name = [element.tagName, id ?? '', ...classes].join(' ')
    const before = known.get(name)
    if (before) return before
    const keys = [element.tagName, ...classes.map((one) => `.${one}`), ...(id ? [`#${id}`] : [])]
    const own = new Set(classes)
    const candidates = tries > TRIES_MAX ? [] : keys.flatMap((key) => byKey.get(key) ?? [])
    tries += candidates.length
    const rules = candidates
      .filter(
        (rule) =>
          (rule.tag === null || rule.tag === element.tagName) &&
          (rule.id === null || rule.id === id) &&
          rule.classes.every((one) => own.has(one)),
      )
      .toSorted((a, b) => a.weight - b.weight)
    const all = new Map(rules.flatMap((rule) => [...rule.declarations]))
    const found = all.size === 0 ? NONE : all
    known.set(name, found)
    return found
  }
  return {
    of(element) {
      const inline = attr(element, 'style')
      const sheets = byKey.size === 0 ? NONE : ofSheets(element)
      if (inline === null) return sheets
      return new Map([...sheets, ...declarationsOf(inline)])
    },
  }
}
