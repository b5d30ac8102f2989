/**
 * Article fixtures written after the code. At the first measuring: text F1 0.988, title 86 %,
 * author 80 %, date 100 %. Never tune on them: when a page here is wrong, find the cause in pages
 * of your own.
 */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import {
  ARABIC,
  BEES,
  BRIDGE,
  CHESS,
  CHINESE,
  COMPILER,
  DUTCH,
  FRENCH,
  GERMAN,
  POLISH,
  PUMP,
  RELEASE,
  RUSSIAN,
  SALT,
  SPANISH,
  type Story,
  VOTE,
} from './stories.ts'

const all = (story: Story, wrap: (marked: string, at: number) => string): string =>
  story.paragraphs.map((text, at) => wrap(mark(text), at)).join('')

export const FROZEN_ARTICLES: ArticlePage[] = [
  {
    name: 'frozen-local-paper-sidebar-left',
    title: VOTE.title,
    author: 'Imke Dahl',
    date: '2024-06-26',
    html: `<html lang="en"><head><title>Senate passes water bill after all-night session &raquo; The Dunmore Argus</title></head><body><div id="container"><div id="left"><h4>Sections</h4><ul><li><a href="/n">News</a></li><li><a href="/s">Sport</a></li></ul><h4>Weather</h4><p>Rain in the morning, clearing in the afternoon with a light wind from the west.</p></div><div id="centre"><div class="story-heading"><h1>${VOTE.title}</h1></div><div class="story-details">26th June 2024 - Imke Dahl</div><div class="story-text">${paragraphs(VOTE)}</div><div class="story-foot"><a>Print</a> <a>Email</a> <a>Report an error</a></div><h3>Have your say</h3><div class="say"><b>Pipe Dream, Dunmore</b><p>They have been talking about leaks since I was at school, and I am drawing my pension now. I will believe it when the trench outside my house is filled.</p></div></div></div></body></html>`,
  },
  {
    name: 'frozen-headless-cms-main',
    title: BEES.title,
    author: 'Noor Haddad',
    date: '2023-07-04',
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${BEES.title}</title><meta property="og:title" content="Hives must go: beekeepers told to move | City Desk"><meta property="og:site_name" content="City Desk"><script type="application/ld+json">{"@context":"https://schema.org","@type":["NewsArticle"],"headline":"${BEES.title}","datePublished":"2023-07-04","author":{"@type":"Person","name":["Noor Haddad"]},"isAccessibleForFree":"False"}</script></head><body><div id="app"><div class="Layout_root__a1"><header class="Header_bar__9z"><button>Menu</button><a>City Desk</a></header><main class="Layout_main__q2"><h1 class="Title_text__77">${BEES.title}</h1><div class="Meta_row__12"><span>Noor Haddad</span><span>4 Jul 2023</span><span>3 min</span></div>${all(BEES, (text, at) => `<div class="Block_block__5x"><p class="Text_body__p0">${text}</p></div>${at === 2 ? '<div class="Block_block__5x"><div class="Card_card__z1"><p class="Card_label__l">From the archive</p><a href="/old">When the city kept cows on the roof of the market hall</a></div></div>' : ''}`)}</main><footer class="Footer_root__f"><p>City Desk is edited in the old post office. Letters are welcome and sometimes printed.</p></footer></div></div></body></html>`,
  },
  {
    name: 'frozen-tilda-like-blocks',
    title: RUSSIAN.title,
    author: 'Анна Белова',
    date: '2022-08-16',
    html: `<html lang="ru"><head><title>${RUSSIAN.title}</title></head><body><div class="t-records"><div class="t-rec"><div class="t-menu"><a>О проекте</a><a>Истории</a></div></div><div class="t-rec"><div class="t-title">${RUSSIAN.title}</div><div class="t-uptitle">16.08.2022 · Текст: Анна Белова</div></div>${all(RUSSIAN, (text) => `<div class="t-rec"><div class="t-container"><div class="t-text" field="text">${text}</div></div></div>`)}<div class="t-rec"><div class="t-subscribe">Оставьте почту, и мы пришлём новую историю</div></div><div class="t-rec"><div class="t-feed"><div class="t-card">Ещё истории: мост из трёх брёвен</div></div></div></div></body></html>`,
  },
  {
    name: 'frozen-squarespace-like',
    title: 'A jar for every month',
    author: 'Lucía Prado',
    date: '2022-11-02',
    html: `<html lang="en-GB"><head><title>A jar for every month &mdash; Green Shelf</title><meta itemprop="datePublished" content="2022-11-02T10:00:00+0000"><meta itemprop="author" content="Lucía Prado"></head><body class="view-item"><header class="Header"><a class="Header-branding">Green Shelf</a></header><main class="Main-content"><article class="BlogItem hentry"><h1 class="BlogItem-title" data-content-field="title">A jar for every month</h1><div class="Blog-meta BlogItem-meta"><time class="Blog-meta-item Blog-meta-item--date">2 Nov</time><span>Written By <a>Lucía Prado</a></span></div><div class="sqs-layout"><div class="sqs-row"><div class="sqs-block html-block"><div class="sqs-block-content"><p>${mark('In January the shelf is empty and I like it best. Twelve clean jars, twelve labels, and nothing that has gone wrong yet.')}</p><h3>${mark('Spring')}</h3><p>${mark('Wild garlic goes into the first jar, with too much salt. It will be eaten by May, whatever I say about moderation.')}</p></div></div><div class="sqs-block image-block"><img src="j.jpg"><p>A jar, seen from above</p></div><div class="sqs-block html-block"><div class="sqs-block-content"><p>${mark('Then rhubarb, which I cook with ginger and regret. Then nothing for a while, because in June one eats standing up in the garden.')}</p><p>${mark('The autumn jars are the serious ones: plums, quinces, a mustard that took three years to get right. They are for people who come in the snow.')}</p></div></div></div></div><div class="BlogItem-share">Share</div></article><section class="BlogItem-pagination"><a><h2>Previous</h2><span>Seven mistakes to avoid when you dry herbs</span></a></section></main></body></html>`,
  },
  {
    name: 'frozen-academic-blog-footnotes',
    title: COMPILER.title,
    author: 'Jo Sato',
    date: '2023-12-05',
    html: `<html lang="en"><head><title>Jo Sato | ${COMPILER.title}</title></head><body><div class="wrapper"><header><h1><a href="/">Jo Sato</a></h1><p>Notes on machines that wait</p></header><section><h1>${COMPILER.title}</h1><p class="view">by Jo Sato</p><p class="view">Dec 5, 2023</p>${all(COMPILER, (text, at) => `<p>${text}${at === 4 ? '<sup id="fnref1"><a href="#fn1">1</a></sup>' : ''}</p>`)}<div class="footnotes"><ol><li id="fn1"><p>${mark('And a smaller one about supermarkets.')}</p></li></ol></div></section></div></body></html>`,
  },
  {
    name: 'frozen-de-regional-paywall',
    title: GERMAN.title,
    author: 'Jonas Weber',
    date: '2023-06-01',
    html: `<html lang="de"><head><title>${GERMAN.title} | Kreiszeitung</title><meta property="article:published_time" content="2023-06-01T05:00:00+02:00"></head><body><div class="nav">Startseite Lokales Sport</div><article class="id-Story"><span class="id-Kicker">Naturschutz</span><h1 class="id-Story-headline">${GERMAN.title}</h1><div class="id-Story-meta"><span class="id-Author">VON <b>JONAS WEBER</b></span> <span>Erstellt: 01.06.2023, 05:00 Uhr</span> <span>Kommentare</span></div><p class="id-Story-paragraph id-Story-lead">${mark('Das Gleis verschwindet, das Wasser kommt zurück.')}</p>${all(GERMAN, (text) => `<p class="id-Story-paragraph">${text}</p>`)}<div class="id-Paywall">Weiterlesen mit Plus: Testen Sie alle Artikel einen Monat lang für einen Euro, danach monatlich kündbar.</div></article><div class="id-Teaser"><a>Auch interessant: So gelingt der Rasen</a></div></body></html>`,
  },
  {
    name: 'frozen-fr-association-bulletin',
    title: FRENCH.title,
    author: null,
    date: '2022-10-01',
    html: `<html lang="fr"><head><title>Bulletin municipal de Sainte-Orne</title></head><body><table><tr><td class="menu"><a>Mairie</a><br><a>Écoles</a><br><a>Déchets</a></td><td class="corps"><h2>${FRENCH.title}</h2><i>samedi 1er octobre 2022</i><br><br>${FRENCH.paragraphs.map(mark).join('<br><br>')}<br><br><a href="#haut">Haut de page</a></td></tr></table><p align="center">Mairie de Sainte-Orne, place du marché. Ouverte du lundi au vendredi.</p></body></html>`,
  },
  {
    name: 'frozen-es-agency-teletype',
    title: SPANISH.title,
    author: null,
    date: '2021-09-13',
    html: `<html lang="es"><head><title>${SPANISH.title}</title><meta name="date" content="2021-09-13T11:20:00+02:00"></head><body><div class="wrap"><h1 class="titulo">${SPANISH.title}</h1><div class="fecha">Actualizado: lunes, 13 septiembre 2021 11:45</div><div class="fecha">Publicado: lunes, 13 septiembre 2021 11:20</div><div class="contenido"><p>${mark(`VALDEOLMOS, 13 Sep. (Agencia) - ${SPANISH.paragraphs[0]}`)}</p>${paragraphs(SPANISH, 1)}</div><div class="relacionadas"><h3>Lo más leído</h3><ol><li><a>Un burro detiene el tráfico dos horas</a></li></ol></div></div></body></html>`,
  },
  {
    name: 'frozen-zh-government-notice',
    title: CHINESE.title,
    author: null,
    date: '2024-05-13',
    html: `<html lang="zh"><head><meta name="ArticleTitle" content="${CHINESE.title}"><meta name="PubDate" content="2024-05-13 17:02"><meta name="ContentSource" content="青石镇政府"><title>${CHINESE.title}_政务动态_青石镇人民政府网</title></head><body><div class="position">您所在的位置：首页 > 政务动态</div><div class="con"><div class="title">${CHINESE.title}</div><div class="laiyuan">发布时间：2024-05-13 17:02 信息来源：青石镇政府 浏览次数：<span>318</span>次 字体：[大 中 小]</div><div id="zoom">${CHINESE.paragraphs.map((text) => `<p style="text-indent:2em"><span style="font-size:16px">${mark(text)}</span></p>`).join('')}</div><div class="close">打印本页 关闭窗口</div></div></body></html>`,
  },
  {
    name: 'frozen-ar-news-sharebar',
    title: ARABIC.title,
    author: 'سامي درويش',
    date: '2022-09-18',
    html: `<html lang="ar" dir="rtl"><head><title>${ARABIC.title} - شبكة السهل</title><meta property="article:published_time" content="2022-09-18T08:00:00+03:00"><meta name="author" content="سامي درويش"></head><body><main><h1>${ARABIC.title}</h1><ul class="share-bar"><li>فيسبوك</li><li>تويتر</li></ul><div class="wysiwyg">${paragraphs(ARABIC, 0, 2)}<figure><figcaption>ساحة القرية صباح الأحد</figcaption></figure>${paragraphs(ARABIC, 2)}</div><div class="more-on"><h2>المزيد من مجتمع</h2><a>سوق قديم يفتح أبوابه ليلا</a></div></main></body></html>`,
  },
  {
    name: 'frozen-nl-magazine-sections',
    title: DUTCH.title,
    author: 'Femke Bos',
    date: '2024-01-24',
    html: `<html lang="nl"><head><title>${DUTCH.title} | Weekblad</title></head><body><article><header><h1>${DUTCH.title}</h1><p><strong>${mark('Een band plakken voor een verhaal: in de Steenstraat kan het.')}</strong></p><div><a href="/auteur/femke-bos">Femke Bos</a><time datetime="2024-01-24T06:00:00.000Z">24 januari 2024, 07:00</time></div></header><section>${paragraphs(DUTCH, 0, 2)}</section><section class="leestips"><h3>Lees ook</h3><p>De laatste melkboer van de stad stopt ermee na veertig jaar.</p></section><section>${paragraphs(DUTCH, 2)}</section></article></body></html>`,
  },
  {
    name: 'frozen-pl-portal-lead',
    title: POLISH.title,
    author: 'Ewa Lis',
    date: '2020-10-09',
    html: `<html lang="pl"><head><title>${POLISH.title} - Portal</title><meta property="og:title" content="${POLISH.title}"></head><body><div class="top">Portal</div><div class="artykul"><h1>${POLISH.title}</h1><div class="autor">Opracowanie: Ewa Lis</div><div class="data-publikacji">Data publikacji: 9.10.2020, 14:12</div><div class="lead">${mark('Jedenaście dni punktualności wystarczyło.')}</div><div class="tresc">${paragraphs(POLISH)}<div class="polecane">Polecamy: <a>Autobus, który nie odjechał</a></div></div><div class="opinie"><h3>Opinie (2)</h3><p>Nareszcie, bez tych siedmiu minut nie zdążałem na autobus i nie miałem na co narzekać.</p></div></div></body></html>`,
  },
  {
    name: 'frozen-magento-cms-guide',
    title: 'Choosing a blanket',
    author: null,
    date: null,
    html: `<html lang="en"><head><title>Choosing a blanket | Woolhouse</title></head><body class="cms-page-view"><div class="header"><a>Woolhouse</a><span>Free delivery on orders over £50</span><a>Basket (0)</a></div><div class="breadcrumbs"><ul><li>Home</li><li>Guides</li></ul></div><main><h1 class="page-title">Choosing a blanket</h1><div class="std"><p>${mark('Wool keeps you warm when it is damp, and it forgives. Cotton is for summer and for people who wash things hot.')}</p><table class="guide"><tr><th>${mark('Fibre')}</th><th>${mark('Season')}</th></tr><tr><td>${mark('Merino')}</td><td>${mark('Autumn to spring')}</td></tr><tr><td>${mark('Cotton')}</td><td>${mark('Summer')}</td></tr></table><p>${mark('Measure the bed and add forty centimetres on each side. A blanket that is too short is a towel.')}</p></div></main><div class="footer"><div class="footer-newsletter">Sign up for 10% off your first order</div><ul><li>Returns</li><li>Delivery</li></ul></div></body></html>`,
  },
  {
    name: 'frozen-faq-accordion',
    title: 'Questions about the new footbridge',
    author: null,
    date: '2024-05-02',
    html: `<html lang="en"><head><title>Questions about the new footbridge - Transport Board</title><meta name="DCTERMS.issued" content="2024-05-02"></head><body><header>Transport Board</header><main><h1>Questions about the new footbridge</h1><details open><summary>${mark('When does it open?')}</summary><p>${mark('On 14 June, after the choir has sung. Walkers first, cyclists from the afternoon.')}</p></details><details><summary>${mark('Can I ride a horse across?')}</summary><p>${mark('No. The deck carries the weight, but the lamps hang too low and a horse does not read signs.')}</p></details><details><summary>${mark('What about the swifts?')}</summary><p>${mark('The arches with nests stay as they are. There are 212 boxes for those who come late.')}</p></details></main><footer><p>The Transport Board is a public body.</p></footer></body></html>`,
  },
  {
    name: 'frozen-wp-block-theme',
    title: PUMP.title,
    author: 'Gerd Holm',
    date: '2021-02-14',
    html: `<html lang="en"><head><title>Replacing the circulation pump of a small heating system – Cellar Notes</title>${jsonLd(
      {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'Article',
            '@id': 'x#article',
            headline: PUMP.title,
            datePublished: '2021-02-14T08:00:00+00:00',
            author: { name: 'gerd', '@id': 'x#person' },
          },
          { '@type': 'Person', '@id': 'x#person', name: 'Gerd Holm' },
        ],
      },
    )}</head><body><div class="wp-site-blocks"><header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/">Cellar Notes</a></p></header><main class="wp-block-group"><h1 class="wp-block-post-title">${PUMP.title}</h1><div class="wp-block-post-date"><time datetime="2021-02-14T08:00:00+00:00">February 14, 2021</time></div><div class="wp-block-post-author-name">Gerd Holm</div><div class="entry-content wp-block-post-content is-layout-flow">${paragraphs(PUMP, 0, 3)}<div class="wp-block-columns"><div class="wp-block-column">${paragraphs(PUMP, 3, 5)}</div><div class="wp-block-column">${paragraphs(PUMP, 5)}</div></div><div class="wp-block-buttons"><a>Buy me a gasket</a></div></div><div class="wp-block-comments"><h2>2 responses to “Replacing the circulation pump”</h2><ol><li><div class="wp-block-comment-content"><p>Worked for me, apart from the cup of black water, which was a bucket, and the carpet, which was white until then.</p></div></li></ol></div></main></div></body></html>`,
  },
  {
    name: 'frozen-company-blog-hubspot',
    title: 'Why we stopped answering e-mail on Fridays',
    author: 'Petra Hallam',
    date: '2022-04-21',
    html: `<html lang="en"><head><title>Why we stopped answering e-mail on Fridays</title><meta name="author" content="Petra Hallam"><meta property="og:url" content="https://blog.norlake.example/2022/04/21/fridays"></head><body><div class="header-container-wrapper"><ul><li>Products</li><li>Pricing</li></ul><a class="cta_button">Book a demo</a></div><div class="blog-post"><h1><span id="hs_cos_wrapper_name" class="hs_cos_wrapper">Why we stopped answering e-mail on Fridays</span></h1><p id="hubspot-author_data" class="hubspot-editable">Posted by <a class="author-link">Petra Hallam</a> on Apr 21, 2022 9:00:00 AM</p><div class="section post-body"><span id="hs_cos_wrapper_post_body"><p>${mark('It began as a mistake. The server was down on a Friday in March, and on Monday everybody looked as if they had slept.')}</p><p>${mark('So we tried it on purpose. From nine to five on Fridays nobody answers, and an automatic reply says so, politely, with a telephone number for fires.')}</p><p>${mark('In three months the telephone has rung twice. One of the calls was a fire.')}</p></span></div><p id="hubspot-topic_data">Topics: <a>Work</a></p></div><div class="span4"><h3>Subscribe Here!</h3><form></form><h3>Recent Posts</h3><ul><li>Our new laboratory in Tallinn</li></ul></div></body></html>`,
  },
  {
    name: 'frozen-sports-report-scorebox',
    title: 'Harbour FC 2-1 Wend Rovers: late winner settles the derby',
    author: 'Marta Silva',
    date: '2024-10-05',
    html: `<html lang="en"><head><title>Harbour FC 2-1 Wend Rovers: late winner settles the derby - Port Gazette Sport</title></head><body><main><h1>Harbour FC 2-1 Wend Rovers: late winner settles the derby</h1><div class="reporter">Marta Silva at the Quay Ground</div><time datetime="2024-10-05T17:20:00Z">5 October 2024</time><table class="scores"><tr><td>Harbour FC</td><td>2</td></tr><tr><td>Wend Rovers</td><td>1</td></tr></table><div class="copy"><p>${mark('A header in the fourth minute of added time gave Harbour the derby and their captain a black eye, which he wore to the press conference like a medal.')}</p><p>${mark('Rovers had led from the twelfth minute and were the better side for an hour. Then the rain came, and the pitch, which slopes towards the sea, did the rest.')}</p><p>${mark('“We lost to a hill,” their coach said.')}</p><p>${mark('Harbour stay first with 24 points from ten matches.')}</p></div><div class="stats"><h2>Match stats</h2><dl><dt>Possession</dt><dd>41% - 59%</dd><dt>Shots</dt><dd>9 - 17</dd></dl></div></main></body></html>`,
  },
  {
    name: 'frozen-state-assigned-in-script',
    title: BRIDGE.title,
    author: 'Ines Carver',
    date: '2024-04-19',
    text: BRIDGE.paragraphs.join('\n'),
    html: `<html lang="en"><head><title>${BRIDGE.title} | Daily Meridian</title></head><body><div id="root"></div><script>window.__PRELOADED_STATE__ = ${JSON.stringify({ user: null, route: { path: '/x' }, page: { story: { id: 7, headline: BRIDGE.title, published_at: '2024-04-19T06:00:00Z', authors: [{ name: 'Ines Carver', email: 'i@m.example' }], content: BRIDGE.paragraphs.map((text) => ({ type: 'paragraph', text })) } } })}; window.other = 1</script></body></html>`,
  },
  {
    name: 'frozen-release-pdf-style-html',
    title: RELEASE.title,
    author: null,
    date: '2024-09-16',
    html: `<html lang="en"><body><div style="width:700px"><p align="right"><b>PRESS RELEASE</b></p><p align="right">Stockholm, 16 September 2024</p><p><b><font size="4">${RELEASE.title}</font></b></p>${RELEASE.paragraphs.map((text) => `<p align="justify"><font face="Arial">${mark(text)}</font></p>`).join('')}</div></body></html>`,
  },
  {
    name: 'frozen-essay-with-intertitles',
    title: 'The grammar of wind',
    author: 'Klara Lund',
    date: '2023-03-12',
    html: `<html lang="en"><head><title>The grammar of wind | Essays | Meridian</title><meta name="twitter:creator" content="@klaralund"><meta name="citation_publication_date" content="2023/03/12"></head><body><main><div class="essay-head"><div class="cat">Essay</div><h1>The grammar of wind</h1><h2>On forty words for air, and on what happens when they are written down</h2><p class="essay-by">Klara Lund</p></div><div class="essay">${paragraphs(SALT, 4, 6)}<h3>${mark('II')}</h3>${paragraphs(SALT, 6)}<div class="essay-note">Klara Lund is the author of a book about fog.</div></div><div class="donate"><p>Meridian has no paywall and no advertisements. If you like what we do, please consider a small monthly donation.</p></div></main></body></html>`,
  },
  {
    name: 'frozen-chess-club-minutes',
    title: 'Club night report',
    author: 'P. Novák',
    date: '2024-02-13',
    url: 'https://club.example/?p=114',
    html: `<html lang="en-GB"><head><title>Brno Chess Club: Club night report</title></head><body><h1>Brno Chess Club</h1><div class="links"><a>Home</a> | <a>Results</a></div><h2>Club night report</h2><p class="small">13/02/2024, P. Novák</p>${paragraphs(CHESS, 1, 4)}<p>${mark('Next week we replay the game on the big board. Bring biscuits.')}</p><hr><p class="small">Webmaster: P. Novák. Last change of this page: 20/02/2024</p></body></html>`,
  },
]
