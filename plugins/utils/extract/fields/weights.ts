/**
 * Every number by which schema filling chooses: how well a label answers a key, how far a source is
 * trusted, what both are worth, and what speaks for one list of records over another.
 */

/** How well a label answers a wanted key, 0..1 (matchKeys). */
export const MATCH = {
  identical: 1,
  /** The same words but for plurals. */
  sameWords: 0.95,
  /** Two known phrases of one meaning. */
  synonym: 0.9,
  /** The same, but only without a prefix or suffix: less sure. */
  synonymInPart: 0.75,
  /** All words of a longer key stand in a label of few more. */
  insideLabel: 0.6,
  /** The one word of the key stands in a label of two. */
  insideShortLabel: 0.5,
  /** The label's words all stand in the key. */
  partOfKey: 0.45,
} as const

/** The least match by which something answers a key. */
export const LEAST_MATCH = {
  fact: 0.45,
  /** The heading above a list. */
  heading: 0.6,
  /** The caption of a table has to match better than this. */
  caption: 0.4,
} as const

/** The points of a fact for a key: its match and the trust in its source, each times its factor. */
export const POINTS = { match: 100, trust: 0.6 } as const

/** Trust in a source, 0..100 (Fact.trust). */
export const TRUST = {
  /** Described things (JSON-LD, microdata, RDFa): the first is what the page is about. */
  things: { first: 96, lessPerPlace: 6, least: 55, lessPerDepth: 4, lessByGrandparent: 2 },
  /** What was read of the page as a whole. */
  summary: {
    /** The main text itself. */
    text: 99,
    /** Title, author and dates where the page is an article, which is then what it is about. */
    article: 100,
    /** The same of any other page. */
    other: 62,
    leastTitle: 86,
    siteName: 80,
    language: 80,
    /** A language that the words suggest says less than a label. */
    languageOfWords: 30,
    canonicalUrl: 80,
    description: 70,
    image: 70,
    images: 60,
    keywords: 70,
    favicon: 70,
    headings: 60,
    links: 50,
    wordCount: 50,
  },
  head: { opengraph: 58, dublinCore: 56, meta: 55, twitter: 52 },
  /** 'Label: value' on a page; a little less for each pair above it. */
  pair: { first: 66, lessPerPlace: 0.05, lessAtMost: 10 },
  page: { address: 48, contactLink: 45, socialLink: 45 },
  /** Facts of the whole page's layout count this share of what they count in a block. */
  layoutShare: 0.8,
  /** What the form of a value shows, without a label. */
  pattern: {
    reviewCount: 32,
    rating: 32,
    email: 30,
    labelledPhone: 30,
    age: 30,
    isbn: 30,
    price: 15,
    currency: 12,
    phone: 5,
  },
  /** A block of a page: a card, a list item, a row. */
  block: {
    itemprop: 90,
    question: 62,
    linkedHeadingTitle: 61,
    heading: 60,
    answer: 60,
    url: 58,
    time: 57,
    image: 55,
    starClass: 55,
    formerPrice: 52,
    /** The innermost element of a layout name is the plainest. */
    innermostName: 50,
    contactLink: 50,
    pair: 50,
    starLabel: 45,
    /** A wrapper of a layout name repeats it with more around it. */
    outerName: 42,
    nameUrl: 42,
    price: 40,
    currency: 38,
    ratingInText: 38,
    paragraph: 35,
    dataAttribute: 34,
    linkText: 30,
    linkTitle: 26,
    strong: 22,
    text: 20,
    imageAlt: 15,
    shortText: 8,
  },
  /** Facts of one record of a list. */
  record: { object: 90, tableRow: 60 },
  /** What a sentence says: a label is surer, the bare form of a value less so. */
  prose: 40,
  /** A plain text; a little less for each pair above it. */
  plain: {
    record: 60,
    pair: 70,
    pairLessPerPlace: 0.02,
    pairLessAtMost: 10,
    firstLine: 50,
    byline: 45,
    date: 30,
    wholeText: 20,
  },
} as const

/** How many of the best facts are tried for an object and for a list of them. */
export const TRIED = { objects: 8, lists: 6 } as const

/** What speaks for one list of records over another. */
export const RECORDS = {
  /** Extra fields per record that the name of a source is worth. */
  name: {
    surelyAsked: 1,
    perhapsAsked: 0.3,
    namedThings: 0.6,
    things: 0.15,
    captionedTable: 0.6,
    table: 0.2,
    plainText: 0.1,
    blocks: 0,
  },
  /** The points of a fact from which its name surely is the one that was asked for. */
  surePoints: 120,
  /** More records are worth this share per doubling, up to the most. */
  perDoubling: 0.12,
  mostForCount: 0.45,
} as const
