/**
 * Pages that judge the rules for headlines, written before those rules and never tuned on: when one
 * here is wrong, find the cause in pages of your own. First look, before the rules: titles 7 of 15.
 */
import { type ArticlePage, jsonLd, paragraphs } from './article-page.ts'
import {
  BEES,
  BRIDGE,
  CHESS,
  COMPILER,
  DUTCH,
  FRENCH,
  PUMP,
  RELEASE,
  SALT,
  VOTE,
} from './stories.ts'

const NONE = { author: null, date: null }
const page = (head: string, body: string, lang = 'en'): string =>
  `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`

export const JUDGED_TITLES: ArticlePage[] = [
  {
    name: 'judged-twitter-cut-with-dots',
    title: VOTE.title,
    ...NONE,
    html: page(
      `<title>${VOTE.title} :: Argus Online</title><meta name="twitter:title" content="Senate passes water bill after...">`,
      `<div class="b">${paragraphs(VOTE)}</div>`,
    ),
  },
  {
    name: 'judged-escaped-twice-in-json-ld',
    title: 'Beekeepers & the "quiet" line',
    ...NONE,
    html: page(
      `<title>Beekeepers &amp; the &quot;quiet&quot; line - Gazette</title>${jsonLd({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: 'Beekeepers &amp; the &quot;quiet&quot; line' })}`,
      `<div>${paragraphs(BEES)}</div>`,
    ),
  },
  {
    name: 'judged-category-link-in-headline',
    title: SALT.title,
    ...NONE,
    html: page(
      `<title>${SALT.title} – Coast Notes</title>`,
      `<article><h1><a class="category" href="/weather">Weather</a> ${SALT.title}</h1>${paragraphs(SALT)}</article>`,
    ),
  },
  {
    name: 'judged-share-button-in-headline',
    title: BRIDGE.title,
    ...NONE,
    html: page(
      `<title>${BRIDGE.title} | Harbour Post</title>`,
      `<article><h1>${BRIDGE.title} <button>Share</button></h1>${paragraphs(BRIDGE)}</article>`,
    ),
  },
  {
    name: 'judged-site-name-and-colon-from-address',
    title: 'Fifteen-year-old holds champion to a draw',
    url: 'https://www.brnochess.example/2019/draw',
    ...NONE,
    html: page(
      '<title>Brno Chess: Fifteen-year-old holds champion to a draw</title>',
      `<div>${paragraphs(CHESS)}</div>`,
    ),
  },
  {
    name: 'judged-headline-with-own-colon',
    title: 'Calibration: a laboratory opens its doors in Tallinn',
    ...NONE,
    html: page(
      '<title>Calibration: a laboratory opens its doors in Tallinn - Norlake</title>',
      `<div>${paragraphs(RELEASE)}</div>`,
    ),
  },
  {
    name: 'judged-french-tagline',
    title: FRENCH.title,
    ...NONE,
    html: page(
      `<title>${FRENCH.title} | L'Écho de Sainte-Orne : toute l'actualité de la vallée et des environs</title>`,
      `<div>${paragraphs(FRENCH)}</div>`,
      'fr',
    ),
  },
  {
    name: 'judged-untitled-page',
    title: 'Minutes of the tramway committee',
    ...NONE,
    html: page(
      '<title>New Page 1</title>',
      `<center><font size="5">Minutes of the tramway committee</font></center>${paragraphs(BEES)}`,
    ),
  },
  {
    name: 'judged-organisation-itemprop-in-header',
    title: COMPILER.title,
    ...NONE,
    html: page(
      `<title>${COMPILER.title}</title>`,
      `<header itemscope itemtype="https://schema.org/Organization"><span itemprop="name">Quarrel</span></header><div itemscope itemtype="https://schema.org/BlogPosting"><div itemprop="headline">${COMPILER.title}</div>${paragraphs(COMPILER)}</div>`,
    ),
  },
  {
    name: 'judged-message-counter',
    title: 'Tail of my kite keeps knotting',
    ...NONE,
    html: page(
      '<title>(12) Tail of my kite keeps knotting | Wind and String</title>',
      `<div>${paragraphs(SALT)}</div>`,
    ),
  },
  {
    name: 'judged-number-that-belongs',
    title: '(Not) repairing bicycles for free',
    ...NONE,
    html: page(
      '<title>(Not) repairing bicycles for free - Fietspost</title>',
      `<div>${paragraphs(DUTCH)}</div>`,
    ),
  },
  {
    name: 'judged-og-is-section',
    title: RELEASE.title,
    ...NONE,
    html: page(
      `<title>Press releases - Norlake Instruments</title><meta property="og:title" content="Press releases"><meta property="og:site_name" content="Norlake Instruments">`,
      `<header><h1>Press releases</h1></header><article><h2>${RELEASE.title}</h2>${paragraphs(RELEASE)}</article>`,
    ),
  },
  {
    name: 'judged-updated-label-before',
    title: VOTE.title,
    ...NONE,
    html: page(
      `<title>${VOTE.title}</title><meta property="og:title" content="${VOTE.title}">`,
      `<main><h1><strong class="label">Live</strong><span>${VOTE.title}</span></h1>${paragraphs(VOTE)}</main>`,
    ),
  },
  {
    name: 'judged-two-part-headline-stays',
    title: 'Wax and wood: a year with the beekeepers',
    ...NONE,
    html: page(
      '<title>Wax and wood: a year with the beekeepers</title>',
      `<h1>Wax and wood: a year with the beekeepers</h1>${paragraphs(BEES)}`,
    ),
  },
  {
    name: 'judged-logo-h1-with-image-text',
    title: PUMP.title,
    ...NONE,
    html: page(
      `<title>${PUMP.title} - Heating Handbook</title>`,
      `<h1><a href="https://heating.example/"><img src="/l.png" alt="Heating Handbook">Heating Handbook</a></h1><div class="c"><h2>${PUMP.title}</h2>${paragraphs(PUMP)}</div>`,
    ),
  },
]
