/**
 * Pages whose headline is hard to tell: names of sites, breadcrumbs, consent dialogs, labels inside of
 * the headline, titles that were cut or escaped twice. Written before any rule for them.
 * First look: titles 12 of 23.
 */
import { type ArticlePage, jsonLd, paragraphs } from './article-page.ts'
import { BEES, BRIDGE, CHESS, COMPILER, GERMAN, PUMP, RELEASE, SALT, VOTE } from './stories.ts'

const NONE = { author: null, date: null }
const body = (inner: string): string => `<body>${inner}</body></html>`
const head = (inner: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${inner}</head>`

export const TITLE_PAGES: ArticlePage[] = [
  {
    name: 'titles-consent-dialog-first',
    title: BRIDGE.title,
    ...NONE,
    html: `${head(`<title>${BRIDGE.title} | Harbour Post</title>`)}${body(`<div role="dialog" class="cmp"><h1>We value your privacy</h1><p>We and our partners store information on a device.</p><button>Accept all</button></div><main><article><h1>${BRIDGE.title}</h1>${paragraphs(BRIDGE)}</article></main>`)}`,
  },
  {
    name: 'titles-og-cut-with-ellipsis',
    title: BRIDGE.title,
    ...NONE,
    html: `${head(`<title>${BRIDGE.title} - Harbour Post</title><meta property="og:title" content="Old rail bridge to reopen as a footpath after…"><meta property="og:site_name" content="Harbour Post">`)}${body(`<div class="c">${paragraphs(BRIDGE)}</div>`)}`,
  },
  {
    name: 'titles-escaped-twice',
    title: 'Salt farmers’ almanac: what “red sky” & wind say',
    ...NONE,
    html: `${head('<title>Salt farmers&amp;#8217; almanac: what &amp;#8220;red sky&amp;#8221; &amp;amp; wind say &#8211; Coast Notes</title><meta property="og:title" content="Salt farmers&amp;#8217; almanac: what &amp;#8220;red sky&amp;#8221; &amp;amp; wind say">')}${body(`<div id="page"><div class="entry">${paragraphs(SALT)}</div></div>`)}`,
  },
  {
    name: 'titles-og-is-the-site',
    title: COMPILER.title,
    ...NONE,
    html: `${head(`<title>Blog | Quarrel Engineering</title><meta property="og:title" content="Quarrel Engineering"><meta property="og:type" content="website">`)}${body(`<header><a href="/">Quarrel Engineering</a></header><main><h2>${COMPILER.title}</h2>${paragraphs(COMPILER)}</main>`)}`,
  },
  {
    name: 'titles-label-inside-headline',
    title: VOTE.title,
    ...NONE,
    html: `${head(`<title>${VOTE.title} - The Argus</title><meta property="og:title" content="${VOTE.title}">`)}${body(`<article><h1><span class="kicker">Politics</span> ${VOTE.title}</h1>${paragraphs(VOTE)}</article>`)}`,
  },
  {
    name: 'titles-permalink-mark',
    title: 'Replacing the pump',
    ...NONE,
    html: `${head('<title>Replacing the pump — Heating handbook 4.2 documentation</title>')}${body(`<div class="document"><section id="replacing"><h1>Replacing the pump<a class="headerlink" href="#replacing" title="Permalink to this headline">¶</a></h1>${paragraphs(PUMP)}</section></div>`)}`,
  },
  {
    name: 'titles-unread-counter',
    title: CHESS.title,
    ...NONE,
    html: `${head(`<title>(3) ${CHESS.title} - Boards</title>`)}${body(`<div class="t">${paragraphs(CHESS)}</div>`)}`,
  },
  {
    name: 'titles-breadcrumb-in-tag',
    title: 'Bleeding a radiator',
    ...NONE,
    html: `${head('<title>Bleeding a radiator &lt; Radiators &lt; Heating &lt; House and Home</title>')}${body(`<nav class="breadcrumb"><a>Home</a> › <a>Heating</a> › <span>Radiators</span></nav><div>${paragraphs(PUMP)}</div>`)}`,
  },
  {
    name: 'titles-site-first-colon',
    title: 'City beekeepers told to move hives',
    ...NONE,
    html: `${head('<title>Tramway Gazette: City beekeepers told to move hives</title><meta property="og:site_name" content="Tramway Gazette">')}${body(`<div class="x">${paragraphs(BEES)}</div>`)}`,
  },
  {
    name: 'titles-json-ld-breadcrumbs-and-organisation',
    title: RELEASE.title,
    ...NONE,
    html: `${head(
      `<title>${RELEASE.title}</title>${jsonLd({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'Organization', name: 'Norlake Instruments' },
          {
            '@type': 'BreadcrumbList',
            name: 'Breadcrumbs',
            itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Newsroom' }],
          },
          { '@type': 'WebPage', name: `${RELEASE.title} | Norlake` },
        ],
      })}`,
    )}${body(`<h1 class="logo">Norlake Instruments</h1><div class="press"><h2>${RELEASE.title}</h2>${paragraphs(RELEASE)}</div>`)}`,
  },
  {
    name: 'titles-hidden-h1-of-the-site',
    title: BEES.title,
    ...NONE,
    html: `${head(`<title>${BEES.title} - Tramway Gazette</title>`)}${body(`<h1 class="visually-hidden" style="position:absolute;left:-9999px">Tramway Gazette, news of the line</h1><div class="story"><h2 class="t">${BEES.title}</h2>${paragraphs(BEES)}</div>`)}`,
  },
  {
    name: 'titles-newsletter-box-h1',
    title: SALT.title,
    ...NONE,
    html: `${head(`<title>${SALT.title} · Coast Notes</title><meta property="og:title" content="${SALT.title}">`)}${body(`<div class="newsletter"><h1>Get our best stories every week</h1></div><div class="post"><h2>${SALT.title}</h2>${paragraphs(SALT)}</div><h1>More from the coast</h1>`)}`,
  },
  {
    name: 'titles-question-site',
    title: 'Why does my build get slower with every core?',
    ...NONE,
    html: `${head('<title>linux - Why does my build get slower with every core? - Stack of Questions</title><meta property="og:title" content="Why does my build get slower with every core?"><meta property="og:site_name" content="Stack of Questions">')}${body(`<div id="question-header"><h1><a href="/q/1" class="question-hyperlink">Why does my build get slower with every core?</a></h1></div><div class="postcell">${paragraphs(COMPILER)}</div>`)}`,
  },
  {
    name: 'titles-video-with-hashtag',
    title: 'How to replace a circulation pump in twenty minutes',
    ...NONE,
    html: `${head('<title>How to replace a circulation pump in twenty minutes - ViewTube</title><meta name="title" content="How to replace a circulation pump in twenty minutes"><meta property="og:site_name" content="ViewTube">')}${body(`<div id="app">${paragraphs(PUMP)}</div>`)}`,
  },
  {
    name: 'titles-german-pipe-tagline',
    title: GERMAN.title,
    ...NONE,
    html: `<!DOCTYPE html><html lang="de"><head><title>${GERMAN.title} | Wochenblatt – Nachrichten aus Minden, Lübbecke und Umgebung</title></head>${body(`<div class="text">${paragraphs(GERMAN)}</div>`)}`,
  },
  {
    name: 'titles-subtitle-beside-headline',
    title: CHESS.title,
    ...NONE,
    html: `${head(`<title>${CHESS.title}</title>`)}${body(`<header class="article-header"><h1>${CHESS.title}</h1><h2 class="subtitle">After four hours the grandmaster offered his hand</h2></header><div>${paragraphs(CHESS)}</div>`)}`,
  },
  {
    name: 'titles-headline-in-two-lines',
    title: 'Old rail bridge to reopen as a footpath',
    ...NONE,
    html: `${head('<title>Old rail bridge to reopen as a footpath - Harbour Post</title>')}${body(`<h1>Old rail bridge<br>to reopen as a footpath</h1><div>${paragraphs(BRIDGE)}</div>`)}`,
  },
  {
    name: 'titles-tag-for-search-engines',
    title: 'What the salt farmers know',
    ...NONE,
    html: `${head('<title>Salt weather forecasting, traditional methods, 2021 guide - Coast Notes</title><meta property="og:title" content="What the salt farmers know"><meta name="twitter:title" content="What the salt farmers know">')}${body(`<div class="hero"><p class="display">What the salt farmers know</p></div><div>${paragraphs(SALT)}</div>`)}`,
  },
  {
    name: 'titles-edit-link-in-heading',
    title: 'Circulation pump',
    ...NONE,
    html: `${head('<title>Circulation pump - Wattwiki</title>')}${body(`<h1 id="firstHeading">Circulation pump <span class="mw-editsection">[<a href="/edit">edit</a>]</span></h1><div id="mw-content-text">${paragraphs(PUMP)}</div>`)}`,
  },
  {
    name: 'titles-section-front-h1',
    title: VOTE.title,
    ...NONE,
    html: `${head(`<title>${VOTE.title} | Politics | The Argus</title><meta property="og:title" content="${VOTE.title} | Politics">`)}${body(`<header class="section"><h1>Politics</h1></header><main><div class="story"><h2>${VOTE.title}</h2>${paragraphs(VOTE)}</div></main>`)}`,
  },
  {
    name: 'titles-breadcrumb-list-microdata',
    title: 'Calibration laboratory in Tallinn',
    ...NONE,
    html: `${head('<title>Calibration laboratory in Tallinn</title>')}${body(`<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item"><span itemprop="name">Newsroom of Norlake</span></a></li></ol><div itemscope itemtype="https://schema.org/Organization"><h1 itemprop="name">Norlake Instruments</h1></div><div>${paragraphs(RELEASE)}</div>`)}`,
  },
  {
    name: 'titles-emphasised-mail',
    title: 'Meeting notes, third week of June',
    ...NONE,
    html: `<html><head><title>Untitled Document</title></head>${body(`<p><b>Meeting notes, third week of June</b></p>${paragraphs(VOTE)}`)}`,
  },
  {
    name: 'titles-path-with-arrows',
    title: 'Draining the boiler',
    ...NONE,
    html: `${head('<title>House › Heating › Boilers › Draining the boiler</title>')}${body(`<div class="crumbs">House › Heating › Boilers</div><h2>Draining the boiler</h2><div>${paragraphs(PUMP)}</div>`)}`,
  },
]
