/**
 * The robots.txt evaluator (RFC 9309): groups of our product token merged, the longest matching
 * pattern wins, an allow wins a tie. Lenient where real files are, as Google's parser is.
 */

interface Rule {
  allow: boolean
  pattern: string
}

/** A parsed robots.txt for one product token. */
export interface RobotsRules {
  /** Whether `path` (with query) may be fetched. */
  allows(path: string): boolean
}

/** Longer lines are cut, so that a hostile file cannot hide a rule behind megabytes. */
const MAX_LINE_CHARACTERS = 16_664
const AGENT_KEYS = new Set(['user-agent', 'useragent', 'user agent'])
const DISALLOW_KEYS = new Set([
  'disallow',
  'dissallow',
  'dissalow',
  'disalow',
  'diasllow',
  'disallaw',
])

/** Without ASCII white space at its ends; a byte order mark inside the file is not white space. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 32) start += 1
  while (end > start && text.charCodeAt(end - 1) <= 32) end -= 1
  return text.slice(start, end)
}

/** Key and value of a line; a missing colon is tolerated between exactly two words. */
function splitLine(line: string): [key: string, value: string] | null {
  const hash = line.indexOf('#')
  const text = trimmed(hash === -1 ? line : line.slice(0, hash))
  const colon = text.indexOf(':')
  if (colon > 0)
    return [trimmed(text.slice(0, colon)).toLowerCase(), trimmed(text.slice(colon + 1))]
  const words = /^(\S+)[ \t]+(\S+)$/.exec(text)
  return colon === -1 && words ? [words[1]!.toLowerCase(), words[2]!] : null
}

/** Percent-encodes what is not ASCII and upper-cases escapes, so that both sides compare equal. */
function escaped(text: string): string {
  return text
    .replace(/\P{ASCII}+/gu, (run) => encodeURIComponent(run.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/** Decodes escapes of unreserved characters, which RFC 9309 section 2.2.2 compares as themselves. */
function unreserved(text: string): string {
  return text.replace(/%[2-7][0-9A-F]/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape
  })
}

const decodedPath = (path: string): string =>
  unreserved(path).replaceAll('*', '%2A').replaceAll('$', '%24')
const decodedRule = ({ allow, pattern }: Rule): Rule => ({
  allow,
  pattern: unreserved(pattern).replace(/\$(?!$)/g, '%24'),
})

/** Whether a pattern with `*` and a final `$` matches from the start of `path`; linear per part. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const [head = '', ...rest] = parts
  if (!path.startsWith(head)) return false
  let at = head.length
  const last = rest.pop()
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (last === undefined) return !anchored || at === path.length
  return anchored
    ? path.length - last.length >= at && path.endsWith(last)
    : path.indexOf(last, at) !== -1
}

/** The leading token of a user-agent line: `FooBot/1.2` and `FooBot x` name `foobot`. */
function productToken(value: string): string {
  return (/^[a-zA-Z_-]*/.exec(value)?.[0] ?? '').toLowerCase()
}

/**
 * The rules of a robots.txt for a crawler's product token. Without a group of its own the `*`
 * group counts; without that everything is allowed (RFC 9309 section 2.2).
 */
export function parseRobots(text: string, token: string): RobotsRules {
  const own: Rule[] = []
  const general: Rule[] = []
  let named = false
  let forUs = false
  let forAll = false
  let inAgents = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const split = splitLine(line.slice(0, MAX_LINE_CHARACTERS))
    if (split === null) continue
    const [key, value] = split
    if (AGENT_KEYS.has(key)) {
      if (!inAgents) forUs = forAll = false
      inAgents = true
      if (/^\*(\s|$)/.test(value)) forAll = true
      else if (productToken(value) === token.toLowerCase()) forUs = named = true
      continue
    }
    const allow = key === 'allow'
    if (!allow && !DISALLOW_KEYS.has(key)) continue
    inAgents = false
    if (value === '') continue
    for (const pattern of patternsOf(allow, escaped(value))) {
      if (forUs) own.push({ allow, pattern })
      if (forAll) general.push({ allow, pattern })
    }
  }
  const rules = named ? own : general
  const decodedRules = rules.map(decodedRule)
  return {
    // Google compares escapes as they are written, the RFC decodes them: a URL that either reading
    // forbids is left alone, so that no spelling of a path gets around a rule.
    allows: (given) => {
      const path = escaped(given === '' ? '/' : given)
      return isAllowed(rules, path) && isAllowed(decodedRules, decodedPath(path))
    },
  }
}

/** Allowing a folder's index page allows the folder itself, as Google reads it. */
function patternsOf(allow: boolean, pattern: string): string[] {
  const slash = pattern.lastIndexOf('/')
  const isIndex = allow && slash !== -1 && pattern.startsWith('/index.htm', slash)
  return isIndex ? [pattern, `${pattern.slice(0, slash + 1)}$`] : [pattern]
}

function isAllowed(rules: readonly Rule[], path: string): boolean {
  if (path === '/robots.txt') return true
  let best: Rule | null = null
  for (const rule of rules) {
    const { length } = rule.pattern
    const beats =
      best === null ||
      length > best.pattern.length ||
      (length === best.pattern.length && rule.allow && !best.allow)
    if (beats && matches(rule.pattern, path)) best = rule
  }
  return best?.allow ?? true
}
