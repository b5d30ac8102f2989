/** Article fixtures: newspapers, agencies, magazines and press offices. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import { BEES, BRIDGE, CHESS, RELEASE, SALT, VOTE } from './stories.ts'

const COOKIES =
  '<div id="onetrust-banner-sdk" role="dialog"><h2>We value your privacy</h2><p>We and our 847 partners store and access information on a device, such as unique IDs in cookies, to process personal data. You may accept or manage your choices at any time in the privacy policy.</p><button>Accept all</button><button>Reject all</button></div>'

const divSoup: ArticlePage = {
  name: 'news-div-soup',
  title: VOTE.title,
  author: 'Daniel Ferris, Amara Diallo',
  date: '2024-06-26',
  html: `<!DOCTYPE html><html lang="en-US"><head><title>Senate passes water bill after all-night session - The Columbia Ledger</title>
<meta property="og:title" content="Senate passes water bill after all-night session"><meta property="og:type" content="article"><meta property="article:published_time" content="2024-06-26T05:41:00-04:00"><meta property="article:modified_time" content="2024-06-27T11:02:00-04:00"></head>
<body class="pg-rail">${COOKIES}<div class="css-1q2w3"><div class="css-hdr"><a href="/">The Columbia Ledger</a><div class="css-nv"><a href="/politics">Politics</a><a href="/business">Business</a><a href="/opinion">Opinion</a><a href="/subscribe">Subscribe for $1</a></div></div>
<div class="css-main"><div class="css-grid"><div class="css-9a"><div class="css-kicker"><a href="/politics">Politics</a></div><h1 class="css-h1x">${VOTE.title}</h1><div class="css-dek">A fund for pipes, a cap on prices, and a fight about irrigation that is not over.</div>
<div class="css-by"><span class="css-n">By <a href="/by/daniel-ferris">Daniel Ferris</a> and <a href="/by/amara-diallo">Amara Diallo</a></span><span class="css-t">Updated June 27, 2024 at 11:02 a.m. EDT | Published June 26, 2024 at 5:41 a.m. EDT</span></div>
<div class="css-sh"><button>Share</button><button>Save</button><span>214 comments</span></div>
${VOTE.paragraphs.map((text, at) => `<div class="css-bl"><div class="css-tx">${mark(text)}</div></div>${at === 1 ? '<div class="css-ad"><span>Advertisement</span><span>Story continues below advertisement</span></div>' : ''}${at === 3 ? '<div class="css-rel"><div>Most Read Politics</div><div><a href="/a">Who wins and who loses in the new water law</a></div><div><a href="/b">The senator who never sleeps</a></div><div><a href="/c">Takeaways from a night on the floor</a></div></div>' : ''}`).join('')}
</div><div class="css-rail"><div>Trending</div><div><a href="/1">Five things to know about leaks</a></div><div><a href="/2">Opinion: A law is only as good as its pipes</a></div><div><a href="/3">Storm warning for the coast</a></div></div></div></div>
<div class="css-ft"><a href="/about">About us</a><a href="/terms">Terms of Service</a><span>© 2024 The Columbia Ledger</span></div></div></body></html>`,
}

const readAlso: ArticlePage = {
  name: 'news-read-also',
  title: BEES.title,
  author: 'Jana Horáková',
  date: '2023-07-04',
  html: `<html lang="en"><head><title>City beekeepers told to move hives away from tram lines | Metro Courier</title><meta name="description" content="Hives within fifteen metres have to go by September."><meta property="og:site_name" content="Metro Courier">
${jsonLd({ '@context': 'https://schema.org', '@type': 'NewsArticle', mainEntityOfPage: 'https://metro.example/bees', headline: BEES.title, datePublished: '2023-07-04T14:20:00+02:00', dateModified: '2023-07-05T08:00:00+02:00', author: [{ '@type': 'Person', name: 'Jana Horáková', url: 'https://metro.example/a/jana' }], publisher: { '@type': 'NewsMediaOrganization', name: 'Metro Courier' } })}</head><body>
<header class="site-header"><div class="logo">Metro Courier</div><nav><ul><li><a href="/city">City</a></li><li><a href="/traffic">Traffic</a></li><li><a href="/weather">Weather</a></li></ul></nav></header>
<main><article class="article article--standard"><header><h1>${BEES.title}</h1><p class="article__perex">${mark('Forty-one complaints, one stopped tram and a new rule: the environment office wants the hives off the line.')}</p><div class="article__info"><span class="article__author">Jana Horáková</span><time datetime="2023-07-04T14:20">4. 7. 2023 14:20</time></div></header>
<div class="article__body">${paragraphs(BEES, 0, 2)}<div class="read-also"><strong>Read also:</strong> <a href="/swarm">What to do when a swarm lands on your balcony</a></div>${paragraphs(BEES, 2, 4)}<p><strong><a href="/honey">READ MORE: City honey sold out before Christmas for the third year</a></strong></p>${paragraphs(BEES, 4)}</div>
<ul class="article__tags"><li><a href="/t/bees">bees</a></li><li><a href="/t/trams">trams</a></li></ul></article>
<section class="more"><h2>More from City</h2><article><h3><a href="/x1">Pool opens two weeks late because of missing lifeguards</a></h3><p>The outdoor pool in the east will not open before the tenth.</p></article><article><h3><a href="/x2">Night buses get new numbers</a></h3><p>From August all night lines start with a nine, the operator says.</p></article></section></main>
<footer>Metro Courier, a.s. All rights reserved. Copying of content is forbidden without written consent of the publisher.</footer></body></html>`,
}

const captions: ArticlePage = {
  name: 'news-captions-pullquotes',
  title: BRIDGE.title,
  author: 'Tom Ashdown',
  date: '2024-04-18',
  html: `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Old rail bridge to reopen as a footpath after eleven-year campaign - Wend Valley News</title><link rel="canonical" href="https://wvn.example/2024/04/18/bridge"></head><body>
<div id="skip"><a href="#main">Skip to main content</a></div><div class="masthead"><h2>Wend Valley News</h2></div>
<main id="main"><h1 id="main-heading">${BRIDGE.title}</h1><div class="byline-block"><div>By Tom Ashdown</div><div>Local Democracy Reporter</div></div><div><time datetime="2024-04-18T16:04:12.000Z">18 April 2024</time></div>
<figure><img alt="" src="b.jpg"><span>Image source, Getty Images</span><figcaption>The bridge in 1962</figcaption></figure>
${BRIDGE.paragraphs.map((text, at) => `<div data-component="text-block"><p>${at === 0 ? `<b>${mark(text)}</b>` : mark(text)}</p></div>${at === 2 ? '<aside class="pullquote"><blockquote>I will believe it when my dog has crossed it</blockquote><cite>Petra Hallam</cite></aside>' : ''}${at === 4 ? '<div data-component="links-block"><h2>More on this story</h2><ul><li><a href="/n1">Barge skipper fined over bridge crash</a></li><li><a href="/n2">Swifts hold up works for second summer</a></li></ul></div>' : ''}`).join('')}
<div data-component="text-block"><p><i>Follow Wend Valley News on <a href="https://social.example/wvn">Facebook</a>, and send your story ideas to <a href="mailto:news@wvn.example">news@wvn.example</a></i></p></div></main>
<div data-component="topStories"><h2>Top stories</h2><div><a href="/1"><h3>Council tax to rise by four per cent</h3></a></div><div><a href="/2"><h3>Missing tortoise found after nine years</h3></a></div></div>
<footer><ul><li><a href="/terms">Terms of Use</a></li><li><a href="/privacy">Privacy Policy</a></li></ul><p>Copyright © 2024. We are not responsible for the content of external sites.</p></footer></body></html>`,
}

const paywall: ArticlePage = {
  name: 'news-paywall-teaser',
  title: SALT.title,
  author: 'Klara Lund',
  date: '2022-08-21',
  html: `<html><head><title>What the salt farmers know about the weather — The Slow Review</title><meta property="og:title" content="What the salt farmers know about the weather"><meta name="author" content="Klara Lund"><meta name="date" content="2022-08-21"></head><body><div class="Header"><a>The Slow Review</a><a>Log in</a><a>Subscribe</a></div>
<article><h1>${SALT.title}</h1><p class="by">Words Klara Lund — Photographs Matti Aro</p><div class="content">${paragraphs(SALT, 0, 4)}</div>
<div class="paywall"><h2>Keep reading with a free trial</h2><p>You have read your last free article this month. Subscribe to read the full story and support independent writing. Already a subscriber? Sign in.</p><ul><li>Unlimited access on every device</li><li>Four printed issues a year</li><li>Cancel at any time</li></ul><button>Start free trial</button></div></article></body></html>`,
}

const amp: ArticlePage = {
  name: 'news-amp',
  title: CHESS.title,
  author: 'Petr Novák',
  date: '2024-02-11',
  html: `<!doctype html><html amp lang="en"><head><meta charset="utf-8"><script async src="https://cdn.example/v0.js"></script><title>Fifteen-year-old holds champion to a draw in simultaneous exhibition</title><link rel="canonical" href="https://sport.example/chess-draw.html">
<script type="application/ld+json">{"@context":"http://schema.org","@type":"NewsArticle","headline":"Fifteen-year-old holds champion to a draw in simultaneous exhibition","datePublished":"2024-02-11T19:30:00Z","author":{"@type":"Person","name":"Petr Novák"},"image":["https://sport.example/i.jpg"]}</script></head>
<body><amp-sidebar id="sb" layout="nodisplay"><ul><li>Football</li><li>Tennis</li><li>Chess</li></ul></amp-sidebar><header><amp-img src="l.png" width="10" height="10"></amp-img></header><main role="main"><h1 class="i-title">${CHESS.title}</h1><amp-img src="c.jpg" width="600" height="400"></amp-img><div class="i-caption">The decisive moment. (Photo: Agency)</div>
<div class="i-body">${paragraphs(CHESS, 0, 3)}<amp-ad width="300" height="250" type="x"><div placeholder>Advertisement</div></amp-ad>${paragraphs(CHESS, 3)}<amp-social-share type="x"></amp-social-share></div><amp-list src="/rel.json"><template type="amp-mustache"><a href="{{url}}">{{title}}</a></template></amp-list></main></body></html>`,
}

const oldTable: ArticlePage = {
  name: 'news-2003-table',
  title: VOTE.title,
  author: 'JAMES T. HALLORAN',
  date: '2003-06-25',
  url: 'http://www.herald.example/2003/06/25/water.html',
  html: `<HTML><HEAD><TITLE>The Herald Online: Senate passes water bill after all-night session</TITLE></HEAD><BODY BGCOLOR="#FFFFFF"><CENTER><TABLE WIDTH=760 CELLPADDING=0 CELLSPACING=0 BORDER=0><TR><TD COLSPAN=3><A HREF="/"><IMG SRC="logo.gif" ALT="The Herald Online"></A> <FONT SIZE=1>Wednesday, June 25, 2003</FONT></TD></TR>
<TR><TD WIDTH=130 VALIGN=top BGCOLOR="#EEEEEE"><FONT SIZE=2><A HREF="/news">News</A><BR><A HREF="/sports">Sports</A><BR><A HREF="/obits">Obituaries</A><BR><A HREF="/classifieds">Classifieds</A><BR><A HREF="/cars">Cars</A><BR><A HREF="/homes">Homes</A></FONT></TD>
<TD WIDTH=480 VALIGN=top><FONT SIZE=5><B>${VOTE.title}</B></FONT><BR><FONT SIZE=2>By JAMES T. HALLORAN<BR>Herald Capitol Bureau</FONT><P>
<TABLE ALIGN=right WIDTH=160 BORDER=1><TR><TD><FONT SIZE=1>SENATOR OKONJO: "That is how you can tell it is a law"</FONT></TD></TR></TABLE>
${VOTE.paragraphs.map(mark).join('<P>\n')}
<P><HR><FONT SIZE=1><A HREF="mail.cgi">E-mail this story</A> | <A HREF="print.cgi">Printer-friendly version</A></FONT></TD>
<TD WIDTH=150 VALIGN=top><TABLE BORDER=1><TR><TD><B>MORE HEADLINES</B><BR><A HREF="1">Levee repairs to begin in fall</A><BR><A HREF="2">School board cuts two bus routes</A><BR><A HREF="3">Fireworks ban extended</A></TD></TR></TABLE></TD></TR>
<TR><TD COLSPAN=3 ALIGN=center><FONT SIZE=1>Copyright 2003 The Herald Publishing Co. This material may not be published, broadcast, rewritten or redistributed.</FONT></TD></TR></TABLE></CENTER></BODY></HTML>`,
}

const pressRelease: ArticlePage = {
  name: 'press-release-wire',
  title: RELEASE.title,
  author: null,
  date: '2024-09-16',
  html: `<!doctype html><html lang="en"><head><title>Norlake Instruments Opens Calibration Laboratory in Tallinn</title><meta name="description" content="TALLINN, Estonia, Sept. 16, 2024"><meta property="og:site_name" content="WireDesk"></head><body><header><a href="/">WireDesk</a><form><input placeholder="Search"></form><a href="/contact">Contact us</a></header>
<section class="release"><h1>${RELEASE.title}</h1><div class="credits"><p>News provided by</p><p><a href="/n"><strong>Norlake Instruments AB</strong></a></p><p>Sep 16, 2024, 07:00 ET</p></div><div class="share"><p>Share this article</p><a>X</a><a>in</a></div>
<div class="release-body"><p>${mark(`<b>TALLINN, Estonia, Sept. 16, 2024</b> /WireDesk/ -- ${RELEASE.paragraphs[0]}`)}</p>${paragraphs(RELEASE, 1, 4)}<p>${mark('<b>About Norlake Instruments</b>')}</p>${paragraphs(RELEASE, 4)}<p>${mark('SOURCE Norlake Instruments AB')}</p></div></section>
<section class="also"><h2>Also from this source</h2><div class="card"><h3>Norlake Instruments Reports Second Quarter Results</h3><p>Norlake Instruments AB today published its interim report for the period from April to June, with sales of 31 million euros.</p></div></section><section class="explore"><h3>Explore</h3><ul><li>Machinery</li><li>Medical equipment</li></ul></section></body></html>`,
}

const LIVE = [
  [
    '18:42',
    'Polls close in an hour',
    'Queues are still long at the harbour schools, and the election office has said that everyone who is in line at seven will be allowed to vote.',
  ],
  [
    '17:15',
    'Turnout passes that of 2019',
    'By five o’clock 58.2 per cent of voters had cast their ballot, two points more than at the same time four years ago and the highest figure since the reform.',
  ],
  [
    '14:03',
    'Ballot papers run out in Westfield',
    'A polling station in Westfield had to close for forty minutes because the wrong number of papers had been delivered. A courier on a bicycle brought four hundred from the town hall.',
  ],
  [
    '09:30',
    'Candidates vote',
    'Both candidates voted in the morning. Neither said anything of note, apart from a remark about the rain, on which they agreed.',
  ],
] as const
const liveBlog: ArticlePage = {
  name: 'news-live-blog',
  title: 'Mayoral election: polls close as turnout passes 2019 level',
  author: 'Sofia Brandt',
  date: '2023-10-15',
  html: `<html lang="en"><head><title>Mayoral election: polls close as turnout passes 2019 level – live | The Port Gazette</title>${jsonLd({ '@context': 'https://schema.org', '@type': 'LiveBlogPosting', headline: 'Mayoral election: polls close as turnout passes 2019 level', datePublished: '2023-10-15T08:00:00Z', author: { '@type': 'Person', name: 'Sofia Brandt' }, liveBlogUpdate: LIVE.map(([time, headline, body]) => ({ '@type': 'BlogPosting', headline, datePublished: `2023-10-15T${time}:00Z`, articleBody: body })) })}</head><body><nav><a>News</a><a>Live</a></nav><main><h1>Mayoral election: polls close as turnout passes 2019 level</h1><p class="standfirst">${mark('The port city chooses a successor to its mayor of sixteen years. Follow the count here.')}</p><p>Sofia Brandt</p><p>Sun 15 Oct 2023 19.42 CEST</p><div class="liveblog">
${LIVE.map(([time, headline, body]) => `<article class="block" id="b${time.replace(':', '')}"><p class="block-time"><time datetime="2023-10-15T${time}:00Z">${time}</time></p><h2>${mark(headline)}</h2><div class="block-elements"><p>${mark(body)}</p></div><div class="block-share"><a>Share</a></div></article>`).join('\n')}</div></main><footer><a>Back to top</a></footer></body></html>`,
}

const shortBrief: ArticlePage = {
  name: 'news-very-short',
  title: 'Tram line 9 interrupted on Sunday',
  author: null,
  date: '2024-11-08',
  html: `<html lang="en"><head><title>Tram line 9 interrupted on Sunday | City Transport</title></head><body><header><nav><a>Timetables</a><a>Tickets</a><a>Network map</a><a>Contact</a></nav></header><div class="content"><h1>Tram line 9 interrupted on Sunday</h1><p class="date">Friday, 8 November 2024</p><p>${mark('Because of work on the overhead line, trams of line 9 do not run between Market Square and Northern Cemetery on Sunday from 5 a.m. to 2 p.m.')}</p><p>${mark('Replacement buses leave every ten minutes from stop B.')}</p></div><div class="box"><h3>Other news</h3><ul><li><a href="/a">New ticket machines at all stations in the centre by spring</a></li><li><a href="/b">Survey: how happy are you with the night lines of our network?</a></li><li><a href="/c">Lost property office moves to the main station building</a></li></ul></div><footer><p>City Transport is a company of the city. The conditions of carriage apply to all lines and tickets of the network.</p></footer></body></html>`,
}

const splitContainers: ArticlePage = {
  name: 'news-split-containers',
  title: BRIDGE.title,
  author: 'Ines Carver',
  date: '2024-04-19',
  html: `<html lang="en"><head><title>${BRIDGE.title} | Daily Meridian</title><meta property="article:author" content="https://facebook.example/dailymeridian"><meta name="parsely-author" content="Ines Carver"><meta name="parsely-pub-date" content="2024-04-19T06:00:00Z"></head><body><div class="top"><a>Daily Meridian</a></div><div class="article-wrap"><div class="headline-hed"><h1>${BRIDGE.title}</h1></div>
<div class="body-part"><div class="inner">${paragraphs(BRIDGE, 0, 2)}</div></div><div class="full-bleed-ad">Advertisement</div><div class="body-part"><div class="inner">${paragraphs(BRIDGE, 2, 5)}</div></div><div class="recirc"><h4>Recommended</h4><a href="/q">A ferry, a bishop and a lost anchor: the river in ten objects</a></div><div class="body-part"><div class="inner">${paragraphs(BRIDGE, 5)}</div></div></div>
<div class="outbrain"><div><a href="/o1">Doctors hate this simple trick for softer hands</a></div><div><a href="/o2">The ten cars that hold their value best, ranked by owners</a></div></div></body></html>`,
}

const nextData: ArticlePage = {
  name: 'news-next-data-only',
  title: CHESS.title,
  author: 'Petr Novák',
  date: '2024-02-11',
  text: CHESS.paragraphs.join('\n'),
  html: `<!DOCTYPE html><html lang="en"><head><title>${CHESS.title}</title></head><body><div id="__next"><div class="spinner">Loading…</div></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(
    {
      props: {
        pageProps: {
          layout: {
            menu: [
              { title: 'Home', href: '/' },
              { title: 'Sport', href: '/sport' },
            ],
          },
          article: {
            id: 991,
            title: CHESS.title,
            slug: 'chess-draw',
            publishedAt: '2024-02-11T19:30:00.000Z',
            author: { name: 'Petr Novák', bio: 'Writes about games.' },
            body: CHESS.paragraphs.map((text) => `<p>${text}</p>`).join(''),
          },
          related: [
            {
              title: 'Club night moves to Thursday',
              excerpt: 'The chess club will meet on Thursdays.',
            },
          ],
        },
      },
      page: '/[slug]',
    },
  )}</script></body></html>`,
}

const longform: ArticlePage = {
  name: 'magazine-dropcap-sections',
  title: SALT.title,
  author: 'Klara Lund',
  date: '2022-08-21',
  html: `<html lang="en"><head><title>What the salt farmers know about the weather | Meridian Magazine</title><meta property="og:title" content="The Language of Wind"><meta property="og:description" content="Forty words for air."></head><body class="longread"><header class="hero"><p class="kicker">Reportage</p><h1>${SALT.title}</h1><p class="deck">${mark('In a bay with eleven families and forty words for air, a rake is a scientific instrument.')}</p><p class="credit">by <span>Klara Lund</span></p><p class="issue">Issue 44, August 21, 2022</p></header>
<section class="chapter"><p><span class="dropcap">⟦A</span>${SALT.paragraphs[0]!.slice(1)}⟧</p>${paragraphs(SALT, 1, 4)}</section><section class="chapter"><h2>${mark('Two pans and a rake')}</h2>${paragraphs(SALT, 4, 6)}<blockquote>${mark('A pan that is opened in the rain is a week of work lost.')}</blockquote></section><section class="chapter">${paragraphs(SALT, 6)}</section>
<section class="author-bio"><h3>About the author</h3><p>Klara Lund is a reporter who lives on a houseboat. Her last book was about fog, and she is at work on a history of the wheelbarrow.</p></section><section class="newsletter"><h3>Get the magazine in your inbox</h3><p>A long read every Sunday. No spam, unsubscribe whenever you like.</p><input type="email"></section></body></html>`,
}

export const NEWS_ARTICLES: ArticlePage[] = [
  divSoup,
  readAlso,
  captions,
  paywall,
  amp,
  oldTable,
  pressRelease,
  liveBlog,
  shortBrief,
  splitContainers,
  nextData,
  longform,
]
