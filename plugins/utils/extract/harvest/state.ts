/**
 * The data that a page carries for its own scripts: __NEXT_DATA__, __NUXT__, Apollo and Redux
 * states. A page drawn by scripts says there what its markup does not.
 */
import { attr, byTag, rawText, type Document } from '../dom/tree.ts'
import { isObject, type JsonObject } from './json-ld.ts'

const SOURCE_MAX = 3_000_000
const NODES_MAX = 50_000
const DEPTH_MAX = 14
const ASSIGNED =
  /(?:window\.|self\.|var\s+|let\s+|const\s+)?(?:__[A-Z][A-Z_]*(?:STATE|DATA|PROPS|CACHE|NUXT)?__|INITIAL_STATE|initialState|preloadedState|pageData)\s*=\s*(?=\{)/
/** What a script's data holds besides the page's subject. */
const FRAME =
  /^(?:buildId|runtimeConfig|env|config|i18n|locales?|messages|translations|menu|nav\w*|header|footer|layout|ads?|tracking|analytics|user|session|related\w*|recommend\w*|trending|popular|breadcrumbs?|theme|features?|flags)$/i

/** The object at the start of a script's text, up to its own closing brace; null when it is none. */
function leadingObject(source: string): unknown {
  let depth = 0
  let isString = false
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at]
    if (isString) {
      if (char === '\\') at += 1
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{') depth += 1
    else if (char === '}' && (depth -= 1) === 0) {
      try {
        return JSON.parse(source.slice(0, at + 1)) as unknown
      } catch {
        return null
      }
    }
  }
  return null
}

function statesOf(page: Document): unknown[] {
  const states: unknown[] = []
  for (const script of byTag(page, 'script')) {
    const type = (attr(script, 'type') ?? '').toLowerCase()
    if (/ld\+json/.test(type)) continue
    const text = rawText(script)
    if (text.length < 20 || text.length > SOURCE_MAX) continue
    if (/json/.test(type)) {
      try {
        states.push(JSON.parse(text))
      } catch {
        // A template, or cut off: says nothing.
      }
    } else if (type === '' || /javascript|module/.test(type)) {
      const found = ASSIGNED.exec(text.slice(0, 2000))
      const value = found && leadingObject(text.slice(found.index + found[0].length))
      if (value) states.push(value)
    }
  }
  return states
}

/** An object of the page's data that describes something: it has a name and more. */
interface StateThing {
  path: string
  value: JsonObject
  /** Characters of running text that the object itself holds. */
  prose: number
}

const NAMES = ['title', 'headline', 'name', 'productName', 'heading']
const proseOf = (value: JsonObject): number =>
  Object.values(value).reduce<number>(
    (sum, one) => sum + (typeof one === 'string' && /\s/.test(one) ? one.length : 0),
    0,
  )

/** Named objects of the page's data outside of menus and recommendations, the fullest first. */
function stateThings(page: Document): StateThing[] {
  const things: StateThing[] = []
  let left = NODES_MAX
  const visit = (value: unknown, path: string, depth: number): void => {
    if ((left -= 1) < 0 || depth > DEPTH_MAX) return
    if (Array.isArray(value)) {
      // An element of a list is one of many, not what the page is about.
      if (value.length === 1) visit(value[0], `${path}[0]`, depth + 1)
    } else if (isObject(value)) {
      const isNamed = NAMES.some((name) => typeof value[name] === 'string')
      if (isNamed && Object.keys(value).length > 2)
        things.push({ path, value, prose: proseOf(value) })
      for (const [key, one] of Object.entries(value))
        if (!FRAME.test(key)) visit(one, `${path}.${key}`, depth + 1)
    }
  }
  statesOf(page).forEach((state, index) => visit(state, `state[${index}]`, 0))
  return things.sort((a, b) => b.prose - a.prose).slice(0, 20)
}

const BODY =
  /^(?:body|content|articleBody|article_body|html|text|bodyHtml|body_html|contentHtml|blocks|paragraphs)$/
const INNER = new Set(['text', 'value', 'html', 'content', 'children', 'data', 'paragraph'])
const BODY_MIN = 200

/** The running text of a body, which may be markup, or blocks of an editor. */
function bodyText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > 8) return ''
  if (Array.isArray(value))
    return value
      .map((one) => bodyText(one, depth + 1))
      .filter((text) => text.trim() !== '')
      .join('\n\n')
  if (!isObject(value)) return ''
  const parts = Object.entries(value).filter(([key]) => INNER.has(key))
  return parts.map(([, one]) => bodyText(one, depth + 1)).join('')
}

function first(value: JsonObject, names: readonly string[]): unknown {
  return names.map((name) => value[name]).find((one) => one !== undefined && one !== null)
}

/** What a page drawn by scripts is about, in the words of schema.org as far as it is an article. */
export function mainOfState(page: Document): { path: string; value: JsonObject } | null {
  const [main] = stateThings(page)
  if (!main) return null
  const { path, value } = main
  const body = Object.entries(value)
    .filter(([key]) => BODY.test(key))
    .map(([, one]) => bodyText(one))
    .sort((a, b) => b.length - a.length)[0]
  if (body === undefined || body.length < BODY_MIN) return { path, value }
  const named: JsonObject = {
    headline: first(value, ['headline', 'title', 'heading', 'name']),
    author: first(value, ['author', 'authors', 'byline', 'writer', 'authorName']),
    datePublished: first(
      value,
      'datePublished publishedAt published_at publishDate publish_date publicationDate firstPublished published_date date createdAt created_at'.split(
        ' ',
      ),
    ),
    dateModified: first(value, ['dateModified', 'updatedAt', 'updated_at', 'modifiedAt']),
  }
  const known = Object.fromEntries(Object.entries(named).filter(([, one]) => one !== undefined))
  return { path, value: { ...value, ...known, '@type': 'Article', articleBody: body } }
}
