/**
 * Threads: the posts of a forum, the answers to a question, the messages below an issue. What
 * matters there is every post's own text, without the panels about who wrote it, and the first post
 * says who began it and when.
 */
import {
  attr,
  type Element,
  elementsOf,
  isElement,
  isText,
  layoutName,
  layoutNamed,
  type Parent,
  squeeze,
  textOf,
} from '../dom/tree.ts'
import { blocksOf } from './blocks.ts'
import type { Block } from './block.ts'
import type { Layout } from './layout.ts'
import { type DateOptions, findDate, parseDate } from './parse-date.ts'
import type { Found } from './phrases.ts'

export interface Thread {
  blocks: Block[]
  author: Found | null
  published: Found | null
}

const POSTS_MAX = 2000
/** Longest text of a post's head or panel that says who and when. */
const HEAD_MAX = 160

/** What forum software calls the text of one post. */
const BODY = layoutNamed(
  String.raw`post-?(?:body|content|text|message)(?:-?\w+)?|message-?(?:body|content|text|usercontent)|bbwrapper|cooked|commtext|toptext|js-comment-body|usertext-body|comment-?(?:body|content|text|message)|reply-?(?:body|content|text)|(?:answer|question)-?(?:body|content|text)|msg-?\d+|post-?message-?\d+|item-?body|ipstype_richtext|postarea|topic-?(?:body|content|text)`,
)
/** Where readers answer an article; a thread of its own stands nowhere below. */
const BELOW_ARTICLE = layoutNamed(
  'comments|comments-?(?:area|section|list|wrapper|container)|comment-?list|commentlist|respond|disqus(?:_thread)?|reviews?|related|sidebar|widget',
)
const FORUM =
  /vbulletin|phpbb|discourse|xenforo|smf|simple machines|mybb|invision|ip\.board|vanilla|flarum|nodebb|woltlab|burning board|punbb|fluxbb|yabb|fudforum|lithium|khoros/i
/** The same as a word of its own in the names of a page's body: styles are called vanilla too. */
const FORUM_NAME = layoutNamed(
  'vbulletin\\w*|phpbb\\w*|discourse|xenforo|smf|mybb|invision|flarum|nodebb|woltlab|punbb|fluxbb|yabb|fudforum|lithium|khoros',
)
const FORUM_TYPES = /\/(?:DiscussionForumPosting|QAPage|Question)$/
const IN_POST = layoutNamed(
  'signature|signaturecontainer|sig|last-?edit(?:ed)?|edited|post-?buttons|quote-?buttons|reactions?\\w*|attach-?\\w*|spoiler-?button',
)
const USER = layoutNamed(
  'user-?name|author|creator|poster|hnuser|nick(?:name)?|name|user-?link|big-?user-?name|message-?name|display-?name|handle|author-?name|member-?name',
)
/** Dates that are about the member or a later change. */
const OTHER_DATE =
  /join|member since|regist|last (?:edit|visit|seen|active)|edited|modified|updated|birth|mitglied|dabei seit|beigetreten|inscri|регистр|stato/i

/** Characters of visible text below each element, white space folded; one walk for the whole page. */
type Lengths = Map<Parent, number>

function measure(parent: Parent, lengths: Lengths): number {
  let sum = 0
  for (const child of parent.childNodes) {
    if (isText(child)) sum += squeeze(child.value).length
    else if (isElement(child) && !['script', 'style', 'template'].includes(child.tagName))
      sum += measure(child, lengths)
  }
  lengths.set(parent, sum)
  return sum
}

function isBody(element: Element): boolean {
  const name = layoutName(element).replaceAll('_', '-')
  const prop = attr(element, 'itemprop') ?? ''
  return BODY.test(name) || /(?:^|\s)md(?:$|\s)/.test(name) || /^(?:text|articleBody)$/.test(prop)
}

function ancestorsOf(element: Element): Element[] {
  const found: Element[] = []
  for (let at: Parent | null = element.parentNode; at && isElement(at); at = at.parentNode)
    found.push(at)
  return found
}

/** Class names without numbers: what all posts of a page have in common. */
const signatureOf = (element: Element): string =>
  `${element.tagName} ${(attr(element, 'class') ?? '').replaceAll(/[\w-]*\d[\w-]*/g, '').trim()}`

/** The narrowest body in each of the widest: a post's text without its head and foot. */
function narrowed(element: Element, lengths: Lengths): Element {
  let narrow = element
  const whole = lengths.get(element) ?? 0
  for (const inner of elementsOf(element)) {
    const isWithin = isBody(inner) || /(?:^|\s)content(?:$|\s)/.test(layoutName(inner))
    if (isWithin && (lengths.get(inner) ?? 0) >= whole * 0.3 && !IN_POST.test(layoutName(inner)))
      narrow = inner
  }
  return narrow
}

function postsOf(page: Parent, isForum: boolean, lengths: Lengths): Element[] {
  const outer: Element[] = []
  const within = new Set<Parent>()
  for (const element of elementsOf(page)) {
    const { parentNode } = element
    if (parentNode && within.has(parentNode)) {
      within.add(element)
      continue
    }
    const name = layoutName(element)
    const isAway =
      ['nav', 'aside', 'footer', 'script', 'style', 'form'].includes(element.tagName) ||
      (!isForum && BELOW_ARTICLE.test(name))
    if (!isAway && !isBody(element)) continue
    within.add(element)
    if (!isAway && outer.length < POSTS_MAX && lengths.get(element)! > 0) outer.push(element)
  }
  const posts = outer.map((element) => narrowed(element, lengths))
  const counts = new Map<string, number>()
  for (const post of posts) counts.set(signatureOf(post), (counts.get(signatureOf(post)) ?? 0) + 1)
  const first = posts.findIndex((post) => counts.get(signatureOf(post))! > 1)
  if (first < 0) return []
  // The opening text may be named otherwise than the answers.
  return posts.filter((post, at) => at < first || counts.get(signatureOf(post))! > 1)
}

/** For each post the widest element that holds no other post: its text with its head and panel. */
function framesOf(posts: readonly Element[]): Element[] {
  const held = new Map<Element, number>()
  for (const post of posts)
    for (const above of ancestorsOf(post)) held.set(above, (held.get(above) ?? 0) + 1)
  return posts.map((post) => {
    let frame = post
    for (const above of ancestorsOf(post)) {
      if (held.get(above)! > 1) break
      frame = above
    }
    return frame
  })
}

/** The elements of a post's frame that are not its text, short ones only. */
function* aroundPost(frame: Element, post: Element, lengths: Lengths): Generator<Element> {
  for (const child of frame.childNodes) {
    if (!isElement(child) || child === post) continue
    const length = lengths.get(child) ?? 0
    if (length > 0 && length <= HEAD_MAX) yield child
    yield* aroundPost(child, post, lengths)
  }
}

function authorIn(frame: Element, post: Element, lengths: Lengths): Found | null {
  let found: Element | null = null
  for (const element of aroundPost(frame, post, lengths)) {
    const isMarked = (attr(element, 'itemprop') ?? '').split(/\s+/).includes('author')
    if (!isMarked && (found !== null || !USER.test(layoutName(element)))) continue
    const inner = [...elementsOf(element)].find(
      (one) =>
        (one.tagName === 'a' || USER.test(layoutName(one)) || attr(one, 'itemprop') === 'name') &&
        lengths.get(one)! > 0,
    )
    const text = textOf(inner ?? element)
    if (text === '' || text.length > 40 || /^(?:author|post|re:|by|quote|reply)$/i.test(text))
      continue
    found = inner ?? element
    if (isMarked) break
  }
  return (
    found && { value: textOf(found).replace(/^(?:\/?u\/|@)/, ''), path: `html.${found.tagName}` }
  )
}

function dateIn(
  frame: Element,
  post: Element,
  lengths: Lengths,
  options: DateOptions,
): Found | null {
  for (const element of aroundPost(frame, post, lengths)) {
    const text = textOf(element)
    const above = element.parentNode
    const around =
      above && isElement(above) && lengths.get(above)! < HEAD_MAX / 2 ? textOf(above) : ''
    if (OTHER_DATE.test(text) || OTHER_DATE.test(around)) continue
    const given = attr(element, 'datetime') ?? attr(element, 'title') ?? ''
    const machine = /\d{4}-\d{2}-\d{2}/.test(given) ? parseDate(given, options) : null
    const shown = machine === null ? findDate(text, options) : null
    const value = machine ?? (shown && `${shown.date}${shown.time}`)
    if (value) return { value, path: `html.${element.tagName}` }
  }
  return null
}

/** One post that dwarfs teasers of the same markup is an article beside others. */
function isDwarfing(posts: readonly Element[], lengths: Lengths): boolean {
  const sizes = posts.map((post) => lengths.get(post)!)
  const largest = Math.max(...sizes)
  const rest = sizes.reduce((sum, size) => sum + size, 0) - largest
  return largest > 900 && rest < largest * 0.35
}

/**
 * The page read as a thread; null when it is none. One that calls itself an article (`saysArticle`)
 * is a thread only where the software or the markup is a forum's.
 */
export function threadOf(
  page: Parent,
  layout: Layout,
  options: DateOptions,
  saysArticle = false,
): Thread | null {
  let isForum = false
  for (const element of elementsOf(page)) {
    const { tagName } = element
    const isGenerator = tagName === 'meta' && attr(element, 'name')?.toLowerCase() === 'generator'
    if (isGenerator && FORUM.test(attr(element, 'content') ?? '')) isForum = true
    if (FORUM_TYPES.test(attr(element, 'itemtype') ?? '')) isForum = true
    if (tagName === 'body' && !saysArticle && FORUM_NAME.test(layoutName(element))) isForum = true
  }
  if (saysArticle && !isForum) return null
  const lengths: Lengths = new Map()
  measure(page, lengths)
  const posts = postsOf(page, isForum, lengths)
  if (posts.length < 2 || (!isForum && isDwarfing(posts, lengths))) return null
  const prose = posts.reduce((sum, post) => sum + layout.prose(post), 0)
  if (prose < layout.prose(page) * (isForum ? 0.35 : 0.5)) return null
  const frames = framesOf(posts)
  const signed = posts.filter((post, at) => authorIn(frames[at]!, post, lengths) !== null)
  if (!isForum && signed.length < posts.length * 0.6) return null
  const skips = (element: Element): boolean =>
    layout.skips(element) || IN_POST.test(layoutName(element))
  const blocks = posts
    .flatMap((post) => blocksOf(post, skips))
    .filter(({ text }) => squeeze(text) !== '')
  return {
    blocks,
    author: authorIn(frames[0]!, posts[0]!, lengths),
    published: dateIn(frames[0]!, posts[0]!, lengths, options),
  }
}
