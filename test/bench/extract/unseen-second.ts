/**
 * Fifteen pages written after those of the other unseen files were mended. First look: text F1
 * 0.967, titles 87 %, authors 73 %, dates 92 %, 1 invented.
 */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import { BRIDGE, CHESS, DUTCH, FRENCH, PORTUGUESE, RUSSIAN, SALT, VOTE } from './stories.ts'

const posts = (
  texts: readonly (readonly [who: string, when: string, text: string])[],
  one: (who: string, when: string, marked: string, at: number) => string,
): string => texts.map(([who, when, text], at) => one(who, when, mark(text), at)).join('\n')

const KITE: readonly (readonly [string, string, string])[] = [
  [
    'driftline',
    '14.08.2015, 18:22',
    'My kite pulls to the left in any wind above twelve knots. Bridle lengths are equal to the millimetre, spars are straight, and I have replaced the tail.',
  ],
  [
    'Uta Kern',
    '14.08.2015, 19:05',
    'Check the sail itself. A panel that was sewn wet shrinks on one side only, and you will measure the bridle until winter.',
  ],
  [
    'driftline',
    '15.08.2015, 07:40',
    'Left panel is four millimetres shorter along the seam. I unpicked it before breakfast and now I have no kite and a clear conscience.',
  ],
]

export const SECOND_PAGES: ArticlePage[] = [
  {
    name: 'second-smf-board',
    title: 'Kite pulls to the left',
    author: 'driftline',
    date: '2015-08-14',
    html: `<!DOCTYPE html><html lang="en"><head><title>Kite pulls to the left</title></head><body><div id="wrapper"><div id="header"><h1 class="forumtitle"><a href="/index.php">Wind &amp; String</a></h1></div><div id="main_menu"><ul class="dropmenu"><li>Home</li><li>Help</li><li>Login</li></ul></div><div class="navigate_section"><ul><li>Wind &amp; String</li><li>Repairs</li><li class="last">Kite pulls to the left</li></ul></div><div id="forumposts"><div class="cat_bar"><h3 class="catbg">Author <span id="author">Topic: Kite pulls to the left &nbsp;(Read 812 times)</span></h3></div>${posts(KITE, (who, when, text, at) => `<div class="windowbg${at % 2 ? '2' : ''}"><div class="post_wrapper"><div class="poster"><h4><a href="/p">${who}</a></h4><ul><li class="membergroup">Jr. Member</li><li class="postcount">Posts: 6${at}</li></ul></div><div class="postarea"><div class="flow_hidden"><div class="keyinfo"><h5 id="subject_${at}"><a>${at ? 'Re: ' : ''}Kite pulls to the left</a></h5><div class="smalltext">&#171; <strong>on:</strong> ${when} &#187;</div></div></div><div class="post"><div class="inner" id="msg_${800 + at}">${text}</div></div></div><div class="moderatorbar"><div class="smalltext modified"></div><div class="signature">Let go last.</div></div></div></div>`)}</div><div class="pagesection">Pages: [1]</div></div><div id="footer_section"><span class="smalltext">SMF 2.0.15 | SMF &copy; 2017, Simple Machines</span></div></body></html>`,
  },
  {
    name: 'second-help-community-solved',
    title: 'Scale shows zero after a battery change',
    author: 'Pilar_M',
    date: '2023-06-12',
    html: `<!DOCTYPE html><html lang="en-US"><head><title>Solved: Scale shows zero after a battery change - Norlake Community - 1182</title><meta property="og:site_name" content="Norlake Community"></head><body class="lia-body"><div class="lia-page"><header><a>Norlake Community</a></header><div class="lia-breadcrumb"><ul><li>Community</li><li>Scales</li></ul></div><h1 class="lia-message-subject">Scale shows zero after a battery change</h1><div class="linear-message-list">${posts(
      [
        [
          'Pilar_M',
          '‎06-12-2023 09:14 AM',
          'Since I changed the battery the scale starts and shows zero, whatever I put on it. I tried the cat and a sack of rice.',
        ],
        [
          'TechTomas',
          '‎06-12-2023 11:50 AM',
          'Hold the unit key for eight seconds until it blinks, put one kilogram on it, press once. It has forgotten what a kilogram is.',
        ],
        [
          'Pilar_M',
          '‎06-13-2023 08:02 AM',
          'That was it, thank you. For the record the cat is four point two.',
        ],
      ],
      (who, when, text, at) =>
        `<div class="lia-message-view-wrapper lia-js-data-messageUid-${at}"><div class="lia-quilt-row"><div class="UserAvatar lia-user-avatar"></div><div class="lia-message-author-with-avatar"><span class="UserName lia-user-name"><a class="lia-link-navigation lia-user-name-link"><span class="login-bold">${who}</span></a></span><div class="lia-message-author-rank">Visitor</div></div><span class="DateTime lia-message-posted-on"><span class="local-date">${when.slice(0, 11)}</span> <span class="local-time">${when.slice(11)}</span></span></div><div class="lia-message-body"><div class="lia-message-body-content"><p>${text}</p></div></div><div class="lia-message-footer"><span>${at} Kudos</span><a>Reply</a></div></div>`,
    )}</div><aside><h3>Related Content</h3><ul><li><a>Scale drifts in winter</a></li></ul></aside><footer>©2023 Norlake Instruments</footer></div></body></html>`,
  },
  {
    name: 'second-link-aggregator-new-layout',
    title: 'What is a repair you are unreasonably proud of?',
    author: 'threadbare_tim',
    date: '2024-03-09',
    html: `<!DOCTYPE html><html lang="en-US"><head><title>What is a repair you are unreasonably proud of? : r/mending</title></head><body><shreddit-app><header><a>Log In</a></header><main><shreddit-post author="threadbare_tim"><div slot="credit-bar"><a>r/mending</a><span>•</span><faceplate-timeago ts="2024-03-09T12:14:22+0000"><time datetime="2024-03-09T12:14:22.000Z">8 mo. ago</time></faceplate-timeago><a class="author-name" href="/user/threadbare_tim">u/threadbare_tim</a></div><h1 slot="title">What is a repair you are unreasonably proud of?</h1><div slot="text-body"><div class="md"><p>${mark('Mine is a zip. I have put in perhaps two hundred, but this one was in a tent, in rain, by the light of a telephone held in my teeth.')}</p></div></div><div class="actions"><span>1.2K</span><span>312 comments</span><button>Share</button></div></shreddit-post><shreddit-comment-tree>${posts(
      [
        [
          'oldspool',
          '2024-03-09',
          'A violin bow, with hair from a neighbour’s horse, who was asked and did not mind.',
        ],
        [
          'grommet_queen',
          '2024-03-09',
          'The strap of my grandfather’s bag. I used his own thread, which was still in it, on a card with a price in a currency that is gone.',
        ],
      ],
      (who, when, text, at) =>
        `<shreddit-comment author="${who}" depth="${at}"><div slot="commentMeta"><a class="author-name">${who}</a><time datetime="${when}T13:00:00.000Z">8mo ago</time></div><div slot="comment" class="md"><p>${text}</p></div><div class="actions"><button>Reply</button></div></shreddit-comment>`,
    )}</shreddit-comment-tree></main></shreddit-app></body></html>`,
  },
  {
    name: 'second-nl-nieuws',
    title: DUTCH.title,
    author: 'Femke Postma',
    date: '2022-11-05',
    html: `<!DOCTYPE html><html lang="nl"><head><title>${DUTCH.title} | Stadsblad</title></head><body><div class="bovenbalk"><a>Stadsblad</a><a>Abonneren</a></div><article class="artikel"><div class="artikel-kop"><span class="rubriek">Wijken</span><h1>${DUTCH.title}</h1><p class="intro-tekst">${mark('Betalen mag ook, maar dat is minder leuk.')}</p><div class="artikel-info"><span>Femke Postma</span> <span>5 nov. 2022 om 09:30</span></div></div><div class="artikel-tekst">${paragraphs(DUTCH)}</div><div class="artikel-delen">Deel dit artikel</div></article><div class="cookie-melding"><p>Wij en onze partners gebruiken cookies en persoonsgegevens om advertenties te tonen. Door op akkoord te klikken geeft u toestemming.</p><button>Akkoord</button></div><div class="voet"><p>Alle rechten voorbehouden, Stadsblad</p></div></body></html>`,
  },
  {
    name: 'second-fr-quotidien',
    title: FRENCH.title,
    author: 'Bastien Morvan',
    date: '2022-10-03',
    html: `<!DOCTYPE html><html lang="fr"><head><title>Sainte-Orne. ${FRENCH.title}</title><meta property="og:site_name" content="Le Phare"><meta property="og:title" content="Sainte-Orne. ${FRENCH.title}"></head><body><nav><a>Le Phare</a></nav><main><div class="article-head"><span class="surtitre">Commerce</span><h1>${FRENCH.title}</h1><p class="chapo">${mark('Deux cents habitants ont acheté une part, certains pour offrir.')}</p><div class="infos"><p>Le Phare</p><p>Bastien MORVAN</p><p>Publié le 03/10/2022 à 18h40</p></div></div><div class="article-corps">${paragraphs(FRENCH, 0, 2)}<div class="encart-abo"><p>Cet article vous est offert. Pour lire gratuitement cet article réservé aux abonnés, connectez-vous.</p></div>${paragraphs(FRENCH, 2)}</div><section class="lire-aussi"><h2>À lire aussi</h2><a>Le marché change de place</a></section></main></body></html>`,
  },
  {
    name: 'second-pt-portal',
    title: PORTUGUESE.title,
    author: 'Caio Menezes',
    date: '2023-09-07',
    html: `<!DOCTYPE html><html lang="pt-BR"><head><title>${PORTUGUESE.title} | Meio Ambiente | Portal do Litoral</title></head><body><div id="barra"><a>Portal do Litoral</a></div><div class="materia"><div class="materia-cabecalho"><h1 class="materia-titulo">${PORTUGUESE.title}</h1><p class="materia-autoria">Por Caio Menezes, Portal do Litoral — Vila do Cais</p><p class="materia-data">07/09/2023 05h02 · Atualizado há um ano</p></div><div class="materia-conteudo">${paragraphs(PORTUGUESE)}</div><div class="materia-rodape"><h3>Mais lidas</h3><ol><li><a>Ponte ganha ciclovia</a></li></ol></div></div><div class="rodape">© Copyright 2000-2024 Portal do Litoral</div></body></html>`,
  },
  {
    name: 'second-ru-livejournal-like',
    title: RUSSIAN.title,
    author: 'severny_mayak',
    date: '2022-08-15',
    html: `<!DOCTYPE html><html lang="ru"><head><title>${RUSSIAN.title}: severny_mayak — ЖЖ</title><meta property="og:title" content="${RUSSIAN.title}"><meta name="author" content="severny_mayak"></head><body class="entry-page"><div class="s-nav"><a>Войти</a></div><article class="b-singlepost b-singlepost-standalone hentry"><h1 class="b-singlepost-title entry-title">${RUSSIAN.title}</h1><div class="b-singlepost-about"><dl class="vcard author"><dt><a class="i-ljuser-username">severny_mayak</a></dt><dd><time class="b-singlepost-author-date published dt-published">2022-08-15 12:30:00</time></dd></dl></div><div class="b-singlepost-wrapper"><section class="b-singlepost-bodywrapper"><article class="b-singlepost-body entry-content e-content">${RUSSIAN.paragraphs.map(mark).join('<br /><br />')}</article></section></div><div class="b-singlepost-tags">Метки: <a>маяк</a></div></article><div id="comments" class="b-grove"><div class="b-tree">2 комментария</div><div class="b-leaf"><span class="i-ljuser">pomor</span><div class="b-leaf-article">Был там прошлым летом, лестницу красили в зелёный, и сторож никого не пускал.</div></div></div></body></html>`,
  },
  {
    name: 'second-university-news-cms',
    title: VOTE.title,
    author: null,
    date: '2024-06-26',
    html: `<!DOCTYPE html><html lang="en"><head><title>${VOTE.title} : News : University of the Wend</title><meta name="date" scheme="YYYY-MM-DD" content="2024-06-26"></head><body><div class="uw-wrap"><div class="uw-brand"><a href="/">University of the Wend</a></div><div class="uw-crumb">Home » News » Policy</div><div class="uw-main"><h1 class="uw-h1">${VOTE.title}</h1><div class="uw-stamp">Date: June 26, 2024</div>${paragraphs(VOTE)}<p><strong>Media contact</strong>: press@wend.example</p><h2>More news from the university</h2><ul><li><a>Herons counted again</a></li><li><a>Library opens at night</a></li></ul></div><div class="uw-foot">University of the Wend is an equal opportunity employer. Copyright 2024.</div></div></body></html>`,
  },
  {
    name: 'second-ghost-theme',
    title: SALT.title,
    author: 'Sunniva Brekke, Paul Otieno',
    date: '2022-08-21',
    html: `<!DOCTYPE html><html lang="en"><head><title>${SALT.title}</title><meta name="generator" content="Ghost 5.2"><meta property="og:site_name" content="Brine"><meta property="article:published_time" content="2022-08-21T06:00:00.000Z"></head><body class="post-template"><div class="gh-site"><header id="gh-head" class="gh-head"><a class="gh-head-logo">Brine</a></header><main class="gh-main"><article class="gh-article post"><header class="gh-article-header gh-canvas"><a class="gh-article-tag">Sea</a><h1 class="gh-article-title">${SALT.title}</h1><p class="gh-article-excerpt">${mark('Forty words for air, and none of them written down.')}</p><div class="gh-article-meta"><h4 class="gh-article-author-name"><a href="/author/sunniva/">Sunniva Brekke</a>, <a href="/author/paul/">Paul Otieno</a></h4><div class="byline-meta-content"><time class="byline-meta-date" datetime="2022-08-21">Aug 21, 2022</time> <span class="byline-reading-time">• 4 min read</span></div></div></header><section class="gh-content gh-canvas">${paragraphs(SALT)}<div class="kg-card kg-signup-card"><h2>Sign up for Brine</h2><p>Letters from the flats, twice a month, and never when the tide is out.</p></div></section></article><aside class="read-more-wrap"><article class="post-card"><h2 class="post-card-title">A rake is a sentence</h2><div class="post-card-excerpt">On the tools of the bay and the people who repair them.</div></article></aside></main><footer class="gh-foot">Powered by Ghost</footer></div></body></html>`,
  },
  {
    name: 'second-live-blog',
    title: 'Flood on the Wend: latest',
    author: 'Oona Farrell',
    date: '2024-11-02',
    html: `<!DOCTYPE html><html lang="en-GB"><head><title>Flood on the Wend: latest - West Valley Courier</title>${jsonLd({ '@context': 'https://schema.org', '@type': 'LiveBlogPosting', headline: 'Flood on the Wend: latest', datePublished: '2024-11-02T06:10:00Z', author: { '@type': 'Person', name: 'Oona Farrell' }, publisher: { '@type': 'Organization', name: 'West Valley Courier' } })}</head><body><header><a>Courier</a></header><main><h1>Flood on the Wend: latest</h1><p class="standfirst">${mark('Follow the water through the valley with our reporters in Hollin and Dunmore.')}</p><div class="live-posts">${[
      [
        '09:40',
        'Footbridge closed',
        'The new footbridge has been closed as a precaution. The choir, which had met there to practise, has moved to the bakery.',
      ],
      [
        '08:15',
        'Lock gates open',
        'The keeper has opened all four gates. Low fields at Sluice End are expected to flood before noon; the sheep were moved last night.',
      ],
      [
        '06:10',
        'Water rising',
        'The gauge at Hollin stands at 3.1 metres and rises by a hand an hour. Good morning, and keep your boots by the door.',
      ],
    ]
      .map(
        ([time, title, text]) =>
          `<article class="live-post"><time datetime="2024-11-02T${time}:00Z">${time}</time><h2>${mark(title!)}</h2><div class="live-post-body"><p>${mark(text!)}</p></div><div class="live-post-share">Share this post</div></article>`,
      )
      .join('')}</div></main><footer>West Valley Courier</footer></body></html>`,
  },
  {
    name: 'second-api-reference',
    title: 'Create a hold',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html lang="en"><head><title>Create a hold - Toll API reference</title></head><body><div class="rm-Header"><a>Toll</a><input></div><div class="rm-Sidebar"><ul><li><a>Create a hold</a></li><li><a>Capture a hold</a></li></ul></div><main class="rm-Article"><header id="content-head"><h1>Create a hold</h1><div class="endpoint"><span class="method">${mark('post')}</span><code>${mark('/v1/holds')}</code></div></header><section class="content-body"><div class="markdown-body"><p>${mark('Puts an amount aside for a call that has not happened yet. A hold that is not captured within ten minutes goes back by itself.')}</p></div><h2>${mark('Body parameters')}</h2><div class="params">${[
      ['amount', 'integer', 'In hundredths of a credit.'],
      ['request', 'string', 'Unique for each call; the same one twice gives the same hold.'],
    ]
      .map(
        ([name, type, text]) =>
          `<div class="param"><label>${mark(name!)}</label> <span class="type">${mark(type!)}</span><div class="desc"><p>${mark(text!)}</p></div><input></div>`,
      )
      .join(
        '',
      )}</div><h2>${mark('Responses')}</h2><table><tr><th>${mark('201')}</th><td>${mark('The hold was created.')}</td></tr><tr><th>${mark('402')}</th><td>${mark('There is not enough on the account.')}</td></tr></table></section></main></body></html>`,
  },
  {
    name: 'second-frames-era-center-font',
    title: 'How to splice an old rope',
    author: 'Captain Bill Ransome',
    date: '1999-11-21',
    html: `<html><head><title>Captain Bill's Page</title></head><body bgcolor="#000080" text="#ffffff"><center><h1>Captain Bill's Page</h1><img src="anchor.gif"><table border=0 width="80%"><tr><td><center><h2>How to splice an old rope</h2></center><font face="Arial">${mark('An old rope is like an old dog. It will do anything you ask but it will not be hurried, and it knows the way better than you do.')}<br><br>${mark('Unlay the strands for a foot or so and whip the ends with anything that is not nylon. Marry the two ropes strand between strand, and then go over one and under one, always against the lay.')}<br><br>${mark('Five tucks for hemp, seven for the slippery stuff. Roll it under your foot when nobody is looking.')}</font><p><i>Captain Bill Ransome, November 21, 1999</i></td></tr></table><hr><a href="index.html">Back to the harbour</a> | <a href="mailto:bill">Mail the Captain</a><br><img src="geo.gif"> This page hosted by HarbourCities. Get your own free home page!</center></body></html>`,
  },
  {
    name: 'second-category-grid',
    title: 'Kettles',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html lang="en"><head><title>Kettles – Larder &amp; Rope</title></head><body><header class="header-wrapper"><a>Larder &amp; Rope</a></header><main><div class="collection-hero"><h1 class="collection-hero__title">Kettles</h1><div class="collection-hero__description rte">${mark('Whistling, silent, and one that only complains.')}</div></div><div class="facets"><details><summary>Availability</summary></details><label>Sort by</label></div><ul class="product-grid">${[
      ['Harbour enamel kettle, 2 litres', '£64.00'],
      ['Harbour enamel kettle, 1 litre', '£49.00'],
      ['Copper sailing kettle', '£120.00'],
      ['Tin travelling kettle', '£22.50'],
    ]
      .map(
        ([name, price]) =>
          `<li class="grid__item"><div class="card"><a href="/p"><img src="k.jpg"></a><div class="card__content"><h3 class="card__heading"><a>${mark(name!)}</a></h3><div class="price"><span class="price-item">${mark(price!)}</span></div></div></div></li>`,
      )
      .join(
        '',
      )}</ul></main><footer class="footer"><p>© 2024, Larder &amp; Rope</p></footer></body></html>`,
  },
  {
    name: 'second-press-release-wire',
    title: BRIDGE.title,
    author: null,
    date: '2024-04-18',
    html: `<html lang="en"><head><title>${BRIDGE.title} | Wire</title></head><body><div class="topnav"><a>Wire</a><a>Send a release</a></div><div class="pr"><h1>${BRIDGE.title}</h1><div class="pr-src">News provided by<br><strong><a>Regional Transport Board</a></strong></div><div class="pr-time">Apr 18, 2024, 09:00 ET</div><div class="pr-share">Share this article</div><div class="pr-body"><p>HOLLIN, April 18, 2024 /Wire/ -- ${mark(BRIDGE.paragraphs[0]!)}</p>${paragraphs(BRIDGE, 1)}<p>SOURCE Regional Transport Board</p></div></div><div class="also"><h3>Also from this source</h3><a>Board publishes winter timetable</a></div></body></html>`,
  },
  {
    name: 'second-spa-shell-next-data',
    title: CHESS.title,
    author: 'Petr Novák',
    date: '2024-02-11',
    text: CHESS.paragraphs.join('\n'),
    html: `<!DOCTYPE html><html lang="en"><head><title>${CHESS.title} | Moravian Post</title></head><body><div id="__next"><header><a>Moravian Post</a></header><div class="spinner">Loading…</div></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { article: { title: CHESS.title, author: { name: 'Petr Novák' }, publishedAt: '2024-02-11T19:30:00Z', body: CHESS.paragraphs.map((one) => `<p>${one}</p>`).join('') } } }, page: '/a/[slug]', query: { slug: 'chess' } })}</script></body></html>`,
  },
]
