/** Article fixtures: the first nine layouts, each told with three stories. */
import type { ArticlePage } from './article-page.ts'

interface Story {
  title: string
  author: string
  date: string
  shownDate: string
  paragraphs: string[]
  lang: string
}
type Layout = (story: Story) => string

const STORIES: Story[] = [
  {
    title: 'Ferry service returns to the northern islands after nine years',
    author: 'Maria Lindqvist',
    date: '2024-03-05',
    shownDate: 'March 5, 2024',
    lang: 'en',
    paragraphs: [
      'The first ferry in nine years left the old harbour on Tuesday morning, carrying forty passengers, a veterinary team and three crates of seedlings for the school garden.',
      'Residents had been waiting on the quay since dawn. Some had brought flags, others only a thermos and a folding chair, and nobody seemed to mind the wind.',
      'The operator, a cooperative of eleven families, says that it needs six sailings a week to cover its costs. Tickets are subsidised by the county for the first two winters.',
      'Short cut.',
      'Whether the line survives will depend on freight rather than tourists, according to the harbour master, who has seen two earlier attempts fail within a season.',
      'The next sailing is planned for Friday, weather permitting, and the return crossing will take about five hours because of the tide.',
    ],
  },
  {
    title: 'Warum alte Apfelsorten wieder gepflanzt werden',
    author: 'Jonas Weber',
    date: '2023-10-12',
    shownDate: '12. Oktober 2023',
    lang: 'de',
    paragraphs: [
      'Auf der Streuobstwiese hinter dem Dorf stehen Bäume, deren Namen kaum noch jemand kennt. Der Verein hat im vergangenen Jahr mehr als hundert von ihnen neu gepflanzt.',
      'Die alten Sorten sind nicht so süß wie die aus dem Supermarkt, aber sie halten sich länger, und sie brauchen weniger Pflege, sagt die Vorsitzende.',
      'In diesem Herbst wurden zum ersten Mal wieder Äpfel für eine eigene Kelterei geerntet. Der Saft war nach zwei Wochen ausverkauft, obwohl niemand dafür geworben hatte.',
      'Im nächsten Jahr sollen Schulklassen bei der Ernte helfen, und die Gemeinde will einen zweiten Hang zur Verfügung stellen.',
    ],
  },
  {
    title: 'How a small library learned to lend tools',
    author: "Niamh O'Connor",
    date: '2022-07-19',
    shownDate: '19 July 2022',
    lang: 'en',
    paragraphs: [
      'It began with a drill. Somebody left it on the returns desk by mistake, and before the week was over three people had asked whether they could borrow it.',
      'Today the shelf next to the atlases holds saws, a pasta machine, two tents, a sewing machine and a telescope, which is booked until the end of the year.',
      'Lending objects is not the same as lending books, the head librarian explains: each of them has to be cleaned, tested and sometimes repaired, and volunteers do most of that work.',
      'The insurance question took the longest. In the end the city wrote a policy of its own, which four other towns have copied since then, word for word.',
      'What people return most reliably, she adds with a laugh, is the telescope.',
    ],
  },
]

const ps = (story: Story): string => story.paragraphs.map((text) => `<p>${text}</p>`).join('\n')
const MENU =
  '<nav class="main-nav"><ul><li><a href="/">Home</a></li><li><a href="/world">World</a></li><li><a href="/sport">Sport</a></li></ul></nav>'
const RELATED =
  '<div class="related-posts"><h3>Related stories</h3><ul><li><a href="/1">Another story that has nothing to do with this one</a></li><li><a href="/2">The council meets again to talk about parking</a></li></ul></div>'
const COMMENTS =
  '<section id="comments"><h3>2 Comments</h3><div class="comment"><span class="author">angry reader</span><time datetime="2025-01-01">1 January 2025</time><p>I do not agree with a single word of this, and I would like everybody to know it, at length.</p></div><div class="comment"><p>Well said, and thank you for writing it down for us all to read again and again.</p></div></section>'
const FOOTER =
  '<footer><p>© 2025 The Daily Example. All rights reserved. Reproduction without permission is prohibited by law in all countries.</p><a href="/imprint">Imprint</a></footer>'
const NEWSLETTER =
  '<div class="newsletter-signup"><h4>Sign up for our newsletter</h4><p>Get the best stories of the week in your inbox every Friday morning, free of charge.</p><form><input type="email"><button>Subscribe</button></form></div>'
const page = (story: Story, head: string, body: string): string =>
  `<!doctype html><html lang="${story.lang}"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`
const ld = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const LAYOUTS: Layout[] = [
  (s) =>
    page(
      s,
      `<title>${s.title} | The Daily Example</title>${ld({ '@type': 'NewsArticle', headline: s.title, author: { '@type': 'Person', name: s.author }, datePublished: `${s.date}T08:00:00Z` })}`,
      `${MENU}<article><h1>${s.title}</h1><div class="byline">By ${s.author}</div>${ps(s)}${RELATED}</article>${COMMENTS}${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title} - Example Blog</title><meta property="og:title" content="${s.title}"><meta property="og:site_name" content="Example Blog">`,
      `<div id="page"><header><a class="logo" href="/">Example Blog</a>${MENU}</header><div id="content"><div class="post"><h2 class="entry-title">${s.title}</h2><p class="post-meta">Posted on ${s.shownDate} by <a rel="author" href="/author/x">${s.author}</a></p><div class="entry-content">${ps(s)}<div class="sharedaddy"><a>Share</a></div></div></div>${COMMENTS}</div><div id="sidebar">${RELATED}</div></div>${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title}</title><meta name="author" content="${s.author}"><meta property="article:published_time" content="${s.date}T10:00:00+02:00">`,
      `<table width="100%"><tr><td>${MENU}</td><td><h1>${s.title}</h1>${s.paragraphs.join('<br><br>')}</td><td>${RELATED}</td></tr></table>${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>Example Times: ${s.title}</title>`,
      `${MENU}<main><h1>${s.title}</h1><p class="dateline"><time datetime="${s.date}">${s.shownDate}</time></p><address class="author">By ${s.author}, Staff Reporter</address>${s.paragraphs.map((text, at) => `<p>${text}</p>${at === 1 ? NEWSLETTER : ''}${at === 2 ? '<figure><img src="/a.jpg"><figcaption>A photo of the scene, taken from a distance. Photo: Somebody</figcaption></figure>' : ''}`).join('')}</main><aside>${RELATED}</aside>${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title} » Notes</title>`,
      `<div class="wrap"><h1>${s.title}</h1><div class="meta"><span class="date">${s.shownDate}</span> · <span class="author vcard"><a href="/people/x">${s.author}</a></span></div><section class="body">${ps(s)}<p>Read more: <a href="/x">Something else entirely</a></p><p class="tags">Tags: <a href="/t/1">one</a>, <a href="/t/2">two</a></p></section><div class="author-bio"><p>${s.author} writes about many things and lives in a small town near the sea with two cats.</p></div></div>${COMMENTS}${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title}</title>`,
      `<div itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop="headline">${s.title}</h1><span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">${s.author}</span></span><meta itemprop="datePublished" content="${s.date}"><div itemprop="articleBody">${ps(s)}</div></div>${RELATED}${COMMENTS}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title} — example.org</title>${ld({
        '@graph': [
          { '@type': 'WebSite', name: 'example.org' },
          { '@type': 'Article', headline: s.title, author: { '@id': '#a' }, datePublished: s.date },
          { '@type': 'Person', '@id': '#a', name: s.author },
        ],
      })}`,
      `<div class="layout">${MENU}<div class="col-8"><div class="story-head"><h1>${s.title}</h1></div>${s.paragraphs.map((text) => `<div class="story-text"><span>${text}</span></div>`).join('')}<div class="social-share">Share on X</div></div><div class="col-4">${NEWSLETTER}${RELATED}</div></div>${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title} | Example</title><meta name="dc.creator" content="${s.author}"><meta name="dc.date" content="${s.date}">`,
      `<form id="aspnetForm">${MENU}<div id="main"><h1>${s.title}</h1><ul class="share-buttons"><li><a href="#">Tweet</a></li><li><a href="#">Mail</a></li></ul><div class="rte">${ps(s)}<blockquote><p>It is what it is, and that is what it will be.</p></blockquote></div>${RELATED}</div></form>${FOOTER}`,
    ),
  (s) =>
    page(
      s,
      `<title>${s.title}</title>`,
      `<article><header><p>News</p><h1>${s.title}</h1><p>By <b>${s.author}</b> | ${s.shownDate}</p></header><div class="lead">${s.paragraphs[0]}</div>${s.paragraphs
        .slice(1)
        .map((text) => `<p>${text}</p>`)
        .join(
          '<div class="ad-slot">Advertisement</div>',
        )}<footer><p>Originally published in the Example Review.</p></footer></article>${COMMENTS}`,
    ),
]

const QUOTE = 'It is what it is, and that is what it will be.'

export const FIRST_ARTICLES: ArticlePage[] = LAYOUTS.flatMap((layout, at) =>
  STORIES.map((story) => {
    const html = layout(story)
    const isDated = html.includes(story.date) || html.includes(story.shownDate)
    return {
      name: `first-${at}-${story.lang}`,
      html,
      title: story.title,
      author: story.author,
      date: isDated ? story.date : null,
      text: [...story.paragraphs, ...(html.includes(QUOTE) ? [QUOTE] : [])].join('\n'),
    }
  }),
)
