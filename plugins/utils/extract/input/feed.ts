/** Feeds of news and episodes: RSS of all versions and Atom, entry by entry. */
import { all, at, parseXml, textAt, type XmlNode } from '../../../shared/xml.ts'
import { guessLanguage } from '../article/language.ts'
import { escapeMarkdown } from '../article/markup.ts'
import { parseDate } from '../article/parse-date.ts'
import { decodeEntities, stripMarkup } from '../dom/tree.ts'
import { once, type FactSources } from '../fields/fact-sources.ts'
import { bodyText, hasMarkup } from '../harvest/body-text.ts'
import { sourcesOfJson } from './text.ts'

const HEAD = 2048

export interface FeedItem {
  title: string | null
  url: string | null
  author: string | null
  published_at: string | null
  modified_at: string | null
  categories: string[]
  text: string
  /** The file of an episode. */
  media: string | null
}
export interface Feed {
  format: 'rss' | 'atom'
  title: string | null
  description: string | null
  url: string | null
  author: string | null
  language: string | null
  modified_at: string | null
  image: string | null
  items: FeedItem[]
}

/** Whether a text begins as a feed does. */
const isFeed = (text: string): boolean =>
  /^[\s\ufeff]*<(?:[?!]|(?:\w+:)?(?:rss|feed|RDF))/.test(text) &&
  /<(?:\w+:)?(?:rss|feed|RDF)[\s>]/.test(text.slice(0, HEAD))

/** A sign of markup that is not written as XML wants it: HTML's names, and text as it was typed. */
const AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi

/**
 * The feed that a text is, its addresses resolved against `base`; null for any other text, and for one
 * that is not well-formed.
 */
export function readFeed(text: string, base: string | null): Feed | null {
  if (!isFeed(text)) return null
  const feed = feedOf(text) ?? feedOf(text.replaceAll(AMPERSAND, '&amp;'))
  if (!feed || (feed.title === null && feed.items.length === 0)) return null
  const resolved = (url: string | null): string | null =>
    (url !== null && base !== null && URL.parse(url, base)?.href) || url
  return {
    ...feed,
    url: resolved(feed.url),
    items: feed.items.map((item) => ({
      ...item,
      url: resolved(item.url),
      media: resolved(item.media),
    })),
  }
}

function feedOf(text: string): Feed | null {
  const root = parseXml(text)
  if (root?.name === 'feed') return atomFeed(new Part(root, text))
  const channel = root && at(root, 'channel')
  if (!channel) return null
  const part = new Part(channel, text)
  return {
    format: 'rss',
    title: part.plain('title'),
    description: part.plain('description'),
    url: part.first('link'),
    author: part.first('author', 'creator', 'managingEditor'),
    language: part.first('language'),
    modified_at: part.date('lastBuildDate', 'pubDate', 'date'),
    image: textAt(channel, 'image', 'url') ?? at(channel, 'image')?.attributes.href ?? null,
    // RSS 1.0 has the items beside the channel.
    items: [channel, root]
      .flatMap((holder) => all(holder, 'item'))
      .map((item) => rssItem(new Part(item, text))),
  }
}

function rssItem(item: Part): FeedItem {
  const guid = at(item.node, 'guid')
  const permalink = guid?.attributes.isPermaLink === 'false' ? null : textAt(guid)
  return {
    title: item.plain('title'),
    url: item.first('link') ?? (permalink && URL.canParse(permalink) ? permalink : null),
    author: item.first('creator', 'author'),
    published_at: item.date('pubDate', 'date', 'published'),
    modified_at: item.date('updated', 'modified'),
    categories: all(item.node, 'category').flatMap((one) => textAt(one) ?? []),
    text: plainText(item.content('encoded', 'description', 'summary')),
    media: at(item.node, 'enclosure')?.attributes.url ?? null,
  }
}

function atomFeed(feed: Part): Feed {
  const author = textAt(feed.node, 'author', 'name')
  return {
    format: 'atom',
    title: feed.plain('title'),
    description: feed.plain('subtitle', 'tagline'),
    url: atomLink(feed.node, 'alternate'),
    author,
    language: feed.node.attributes.lang ?? null,
    modified_at: feed.date('updated', 'modified'),
    image: feed.first('logo', 'icon'),
    items: all(feed.node, 'entry').map((node) => {
      const entry = new Part(node, feed.source)
      return {
        title: entry.plain('title'),
        url: atomLink(node, 'alternate'),
        author: textAt(node, 'author', 'name') ?? author,
        published_at: entry.date('published', 'issued', 'updated'),
        modified_at: entry.date('updated', 'modified'),
        categories: all(node, 'category').flatMap(
          ({ attributes: { label, term } }) => label ?? term ?? [],
        ),
        text:
          plainText(entry.content('content', 'summary')) ||
          (textAt(node, 'group', 'description') ?? ''),
        media: atomLink(node, 'enclosure'),
      }
    }),
  }
}

/** Markup or text as plain paragraphs. */
const plainText = (content: string): string =>
  hasMarkup(content) ? bodyText(content) : decodeEntities(content)

/** The address of a link; without a relation it leads to the page itself (RFC 4287 §4.2.7.2). */
const atomLink = (node: XmlNode, relation: string): string | null =>
  all(node, 'link').find(({ attributes: { rel = 'alternate' } }) => rel === relation)?.attributes
    .href ?? null

/** Zones of RFC 822 §5.1 that are names. */
const ZONES: Readonly<Record<string, string>> = {
  EST: '-0500',
  EDT: '-0400',
  CST: '-0600',
  CDT: '-0500',
  MST: '-0700',
  MDT: '-0600',
  PST: '-0800',
  PDT: '-0700',
  UT: 'GMT',
}

/** A feed or an entry: the first of its children of some names that says something. */
class Part {
  constructor(
    readonly node: XmlNode,
    readonly source: string,
  ) {}

  /** A text on one line. */
  first(...names: string[]): string | null {
    for (const name of names)
      for (const child of all(this.node, name)) {
        const text = textAt(child)
        if (text !== null) return text
      }
    return null
  }

  /** A text without its markup, which many titles have. */
  plain(...names: string[]): string | null {
    return stripMarkup(this.content(...names)) || null
  }

  /** Markup, be it escaped or part of the feed. */
  content(...names: string[]): string {
    for (const name of names)
      for (const { children, text, from, to } of all(this.node, name)) {
        const content = (children.length > 0 ? this.source.slice(from, to) : text).trim()
        if (content !== '') return content
      }
    return ''
  }

  date(...names: string[]): string | null {
    const text = this.first(...names)
    return text && parseDate(text.replace(/\b[A-Z]{2,3}$/, (zone) => ZONES[zone] ?? zone))
  }
}

/** What a feed says, with its entries as one list under each name that people have for them. */
export function sourcesOfFeed(feed: Feed): FactSources {
  const types = ['items', 'entries', 'articles', 'posts', 'news', 'episodes', 'stories']
  return {
    ...sourcesOfJson({ ...feed }),
    collections: once(() => [
      { path: '$.items', types, items: feed.items.map((one) => ({ ...one })) },
    ]),
  }
}

/** What is answered of a feed without a schema. */
export function describeFeed({ format, ...feed }: Feed): { [name: string]: unknown } {
  const language = feed.language ?? guessLanguage(feed.items.map(({ text }) => text).join('\n'))
  return { type: 'feed', format, ...feed, language }
}

/** The entries as one text, each below its title. */
export const textOfFeed = ({ title, description, items }: Feed): string =>
  [title, description, ...items.flatMap((item) => [item.title, item.text])]
    .filter(Boolean)
    .join('\n\n')

/** The feed as Markdown: a heading with its link for each entry. */
export function markdownOfFeed({ title, description, items }: Feed): string {
  const entries = items.flatMap((item) => {
    const name = escapeMarkdown(item.title ?? item.url ?? '')
    const about = [item.author, item.published_at].filter((one) => one !== null).join(', ')
    return [
      `## ${item.url ? `[${name}](<${item.url.replaceAll(/[<>\s]/g, encodeURIComponent)}>)` : name}`,
      escapeMarkdown(about),
      escapeMarkdown(item.text),
    ]
  })
  const head = [title ? `# ${escapeMarkdown(title)}` : '', escapeMarkdown(description ?? '')]
  return [...head, ...entries].filter(Boolean).join('\n\n')
}
