/** Article fixtures: content management systems, blogs, documentation, forums and wikis. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import { BEES, BRIDGE, CHESS, COMPILER, PUMP, SALT, VOTE } from './stories.ts'

const wordpress: ArticlePage = {
  name: 'wordpress-classic',
  title: PUMP.title,
  author: 'Gerd Holm',
  date: '2019-11-23',
  html: `<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8"><title>Replacing the circulation pump of a small heating system &#8211; Cellar Notes</title><link rel="alternate" type="application/rss+xml" href="/feed/"><meta name="generator" content="WordPress 5.3"></head>
<body class="post-template-default single single-post postid-218"><div id="page" class="site"><header id="masthead" class="site-header"><p class="site-title"><a href="/">Cellar Notes</a></p><p class="site-description">Heating, water and other things that leak</p><nav id="site-navigation"><ul><li><a href="/about">About</a></li><li><a href="/category/heating">Heating</a></li></ul></nav></header>
<div id="content" class="site-content"><div id="primary" class="content-area"><main id="main"><article id="post-218" class="post-218 post type-post hentry category-heating tag-pump"><header class="entry-header"><h1 class="entry-title">${PUMP.title}</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/p" rel="bookmark"><time class="entry-date published" datetime="2019-11-23T09:14:00+00:00">November 23, 2019</time><time class="updated" datetime="2020-01-02T10:00:00+00:00">January 2, 2020</time></a></span><span class="byline"> by <span class="author vcard"><a class="url fn n" href="/author/gerd">Gerd Holm</a></span></span><span class="comments-link"><a href="#respond">3 Comments</a></span></div></header>
<div class="entry-content">${paragraphs(PUMP, 0, 2)}<h2>${mark('Step by step')}</h2><ol>${PUMP.paragraphs
    .slice(2)
    .map((text) => `<li>${mark(text)}</li>`)
    .join(
      '',
    )}</ol><div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a>Twitter</a></li><li><a>Facebook</a></li></ul></div><div id="jp-relatedposts" class="jp-relatedposts"><h3>Related</h3><p><a href="/r1">How to bleed a radiator without flooding the hall</a></p></div></div>
<footer class="entry-footer">Posted in <a rel="category tag">Heating</a>. Tagged <a rel="tag">pump</a>.</footer></article><nav class="navigation post-navigation"><h2>Post navigation</h2><a rel="prev">Previous: The noise in the wall</a><a rel="next">Next: A drain for the cellar</a></nav>
<div id="comments"><h2 class="comments-title">3 thoughts on “Replacing the circulation pump of a small heating system”</h2><ol class="comment-list"><li class="comment"><article><footer><b class="fn">Marlene</b><time datetime="2019-11-24">November 24, 2019</time></footer><div class="comment-content"><p>Thank you for this. Mine had no valves, and I did it all the same, with a garden hose out of the cellar window and two teenagers on the stairs. It took six hours and I would not do it again.</p></div></li><li class="comment"><article><footer><b class="fn">plumber_joe</b></footer><div class="comment-content"><p>Professional here: please check the direction of the arrow on the pump body before you tighten anything. About a third of the pumps that I am called for were put in backwards by somebody who had seen it done on the internet.</p></div></article></li></ol><div id="respond"><h3>Leave a Reply</h3><p>Your email address will not be published. Required fields are marked *</p><textarea></textarea></div></div></main></div>
<aside id="secondary" class="widget-area"><section class="widget"><h2>Recent Posts</h2><ul><li><a>A drain for the cellar</a></li><li><a>Replacing the circulation pump of a small heating system</a></li></ul></section><section class="widget"><h2>Archives</h2><ul><li>December 2019</li><li>November 2019</li></ul></section></aside></div><footer id="colophon"><a href="https://wordpress.org/">Proudly powered by WordPress</a></footer></div></body></html>`,
}

const elementor: ArticlePage = {
  name: 'wordpress-page-builder',
  title: 'Seven mistakes to avoid when you dry herbs',
  author: 'Lucía Prado',
  date: '2021-05-30',
  html: `<!doctype html><html lang="en"><head><title>Seven mistakes to avoid when you dry herbs - Green Shelf</title>${jsonLd(
    {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', '@id': 'https://g.example/#website', name: 'Green Shelf' },
        {
          '@type': 'WebPage',
          '@id': 'https://g.example/herbs/',
          name: 'Seven mistakes to avoid when you dry herbs - Green Shelf',
          datePublished: '2021-05-30T07:00:00+00:00',
        },
        {
          '@type': 'Article',
          headline: 'Seven mistakes to avoid when you dry herbs',
          author: { '@id': 'https://g.example/#/schema/person/7' },
          datePublished: '2021-05-30T07:00:00+00:00',
          dateModified: '2022-03-01T00:00:00+00:00',
          isPartOf: { '@id': 'https://g.example/herbs/' },
        },
        {
          '@type': ['Person', 'Organization'],
          '@id': 'https://g.example/#/schema/person/7',
          name: 'Lucía Prado',
        },
      ],
    },
  )}</head><body><div class="elementor elementor-location-header"><div class="elementor-nav-menu"><a>Herbs</a><a>Shop</a></div></div>
<div class="elementor elementor-location-single"><div class="elementor-section"><div class="elementor-widget-theme-post-title"><h1>Seven mistakes to avoid when you dry herbs</h1></div></div><div class="elementor-section"><div class="elementor-column"><div class="elementor-widget-theme-post-content"><div class="elementor-widget-container">
<p>${mark('Drying herbs is the oldest way to keep them, and it looks as if nothing could go wrong. Then you open the jar in January and it smells of hay.')}</p>
<div class="ez-toc-container"><p class="ez-toc-title">Table of Contents</p><ul><li><a href="#1">Cutting at noon</a></li><li><a href="#2">Washing</a></li><li><a href="#3">Too much at once</a></li></ul></div>
<h3 id="1">${mark('1. Cutting at noon')}</h3><p>${mark('The oils are strongest in the morning, when the dew is gone and the sun has not yet done its work. At noon half of what you want has gone into the air.')}</p><h3 id="2">${mark('2. Washing')}</h3><p>${mark('Shake them. Brush them. If you must wash them, do it the evening before, on the plant, with a watering can.')}</p><h3 id="3">${mark('3. Too much at once')}</h3><p>${mark('A bunch should be no thicker than your thumb at the string. What is inside a thick bunch does not dry, it ferments.')}</p><h3>${mark('4. The oven')}</h3><p>${mark('Forty degrees is the limit, and few ovens know what forty degrees are.')}</p>
<figure class="wp-block-image"><img src="h.jpg"><figcaption>Thyme on a string</figcaption></figure><h3>${mark('5. Light')}</h3><p>${mark('A window sill is a pretty place and the wrong one. Colour is the first thing to go, and taste follows it within a fortnight.')}</p><h3>${mark('6. Crumbling too early')}</h3><p>${mark('Leave the leaves whole until you cook. Every broken edge is a door.')}</p><h3>${mark('7. No date on the jar')}</h3><p>${mark('After a year it is decoration.')}</p></div></div></div></div></div>
<div class="elementor-section"><div class="elementor-author-box"><h4>Lucía Prado</h4><p>Lucía grows forty kinds of mint on a roof and teaches courses at the weekend.</p></div><h3>You might also like</h3><div class="elementor-posts"><article class="elementor-post"><h3><a>Why parsley hates the freezer</a></h3><p>Some say ice cubes, some say oil; we tried all of them in a blind tasting.</p></article></div></div><div class="elementor-location-footer">© Green Shelf 2022</div></body></html>`,
}

const drupal: ArticlePage = {
  name: 'drupal-fields',
  title: 'Minister opens research station on the Orne glacier',
  author: null,
  date: '2018-08-30',
  html: `<!DOCTYPE html><html lang="en" dir="ltr" prefix="content: http://purl.org/rss/1.0/modules/content/ dc: http://purl.org/dc/terms/"><head><title>Minister opens research station on the Orne glacier | Ministry of Science</title><meta name="dcterms.date" content="2018-08-30"><meta name="dcterms.publisher" content="Ministry of Science"></head><body class="path-node page-node-type-news"><a href="#main-content" class="visually-hidden focusable">Skip to main content</a><div class="region region-header"><div class="block-system-branding">Ministry of Science</div></div>
<div class="region region-breadcrumb"><nav class="breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ol></nav></div><div class="region region-content"><a id="main-content"></a><h1 class="page-header"><span class="field field--name-title">Minister opens research station on the Orne glacier</span></h1>
<article data-history-node-id="991" class="node node--type-news"><div class="node__content"><div class="field field--name-field-date field--label-inline"><div class="field__label">Date</div><div class="field__item"><time datetime="2018-08-30T12:00:00Z">30/08/2018</time></div></div><div class="clearfix text-formatted field field--name-body field--type-text-with-summary"><p>${mark('The Minister for Science, Ola Brekke, opened a research station at 2,900 metres on the Orne glacier on Thursday. It is the highest permanently staffed building in the country.')}</p><p>${mark('The station will be used by five universities. Its first task is a core of 180 metres, drilled through the thickest part of the ice, in which the researchers hope to find ash from the eruptions of the Middle Ages.')}</p><p>${mark('In her speech the minister thanked the pilots who had carried 214 loads up the mountain in two summers:')}</p><blockquote><p>${mark('“You have built a house in a place where most people would not eat a sandwich.”')}</p></blockquote><p>${mark('The budget is 11.3 million, of which a third comes from the European research programme. Applications for working time open on 1 October.')}</p></div>
<div class="field field--name-field-tags"><div class="field__label">Topics</div><div class="field__items"><div class="field__item"><a href="/t/1">Climate</a></div><div class="field__item"><a href="/t/2">Polar research</a></div></div></div></div></article></div><div class="region region-sidebar-second"><section class="block-views"><h2>Latest news</h2><div class="views-row"><a>Call for proposals: quantum sensors in medicine and in the field</a></div><div class="views-row"><a>New head of the agency for space appointed by the cabinet</a></div></section><section class="block"><h2>Press contact</h2><p>Press office, telephone 555 0100, press@science.example. The office is open on weekdays from nine to four.</p></section></div></body></html>`,
}

const medium: ArticlePage = {
  name: 'medium-like',
  title: COMPILER.title,
  author: 'Anika Rao',
  date: '2023-12-01',
  html: `<!doctype html><html lang="en"><head><title>Why our build got slower every time we made it faster | by Anika Rao | Level Nine | Dec, 2023 | Stories</title><meta property="article:author" content="https://stories.example/@anikarao"><meta name="author" content="Anika Rao"><meta property="og:title" content="Why our build got slower every time we made it faster"><meta property="article:published_time" content="2023-12-01T15:12:40.000Z"></head><body><div id="root"><div class="a b"><div class="ab q"><a>Open in app</a><a>Sign up</a><a>Sign in</a></div></div><div class="fa"><article><div class="fb"><section><div><div class="ch bg"><div><h1 class="pw-post-title fc" data-testid="storyTitle">${COMPILER.title}</h1><div class="speechify"><a data-testid="authorName" href="/@anikarao">Anika Rao</a><span>·</span><button>Follow</button><div>Published in<a>Level Nine</a></div><span>4 min read</span><span>·</span><span data-testid="storyPublishDate">Dec 1, 2023</span></div><div class="pw-multi"><span>1.2K</span><button>Listen</button><button>Share</button></div></div>
${COMPILER.paragraphs.map((text, at) => (at === 4 ? `<blockquote class="ol"><p class="pw-post-body-paragraph">${mark(text)}</p></blockquote>` : `<p class="pw-post-body-paragraph">${mark(text)}</p>`)).join('')}<pre><span>${mark('queue.cancel(superseded) // three lines, six months')}</span></pre></div></div></section></div></article></div>
<div class="foot"><div><a>Software Engineering</a><a>Queues</a><a>Build</a></div><div><span>1.2K claps</span><span>18 responses</span></div><h2>Written by Anika Rao</h2><p>2.4K Followers. Engineer, gardener, slow reader of fast papers.</p><h2>More from Anika Rao and Level Nine</h2><div><h3>A cache is a promise that you make to somebody you will not meet</h3><p>On invalidation, and what my grandmother had to say about it when I explained it to her.</p></div><div><h3>Recommended from Stories</h3><p>Ten shell aliases that will change your life by tomorrow morning.</p></div><div><a>Help</a><a>Status</a><a>Careers</a></div></div></div></body></html>`,
}

const substack: ArticlePage = {
  name: 'substack-like',
  title: SALT.title,
  author: 'Klara Lund',
  date: '2022-08-21',
  html: `<!DOCTYPE html><html lang="en"><head><title>What the salt farmers know about the weather</title>${jsonLd({ '@context': 'https://schema.org', '@type': 'NewsArticle', url: 'https://lund.example/p/salt', headline: SALT.title, description: 'Forty words for air', datePublished: '2022-08-21T10:01:02+00:00', isAccessibleForFree: true, author: [{ '@type': 'Person', name: 'Klara Lund', url: 'https://lund.example/@klara' }], publisher: { '@type': 'Organization', name: 'Houseboat Letters' } })}</head><body><div id="entry"><div class="main-menu"><h1 class="headline"><a href="/">Houseboat Letters</a></h1><button>Subscribe</button><button>Sign in</button></div>
<div class="single-post-container"><div class="single-post"><article class="newsletter-post post"><div class="post-header"><h1 class="post-title published">${SALT.title}</h1><h3 class="subtitle">Forty words for air</h3><div class="byline-wrapper"><a href="/@klara">Klara Lund</a><div>Aug 21, 2022</div><div>∙ Paid</div></div><div class="post-ufi"><a>31</a><a>4</a><a>Share</a></div></div><div class="available-content"><div class="body markup">${paragraphs(SALT, 0, 3)}<div class="subscription-widget-wrap"><div class="subscription-widget"><div class="preamble"><p>Houseboat Letters is a reader-supported publication. To receive new posts and support my work, consider becoming a free or paid subscriber.</p></div><form><input placeholder="Type your email..."><button>Subscribe</button></form></div></div>${paragraphs(SALT, 3, 6)}<p class="button-wrapper"><a class="button primary" href="/share"><span>Share</span></a></p>${paragraphs(SALT, 6)}</div></div></article></div>
<div class="comments-page"><h4>4 Comments</h4><div class="comment"><a>Ruben</a><span>Aug 22, 2022</span><p>My grandfather had a word for the wind that comes under the door, and we never knew what language it was. Thank you for this, it brought him back for an afternoon.</p></div><div class="comment"><a>S. Kettle</a><p>Beautiful. I read it twice, the second time aloud.</p></div></div><div class="footer"><p>© 2025 Klara Lund. Privacy ∙ Terms ∙ Collection notice</p><p>Start your Substack. Get the app. Substack is the home for great culture</p></div></div></div></body></html>`,
}

const LONG_COMMENT =
  'I have to disagree with nearly everything in the piece, and since I have kept bees for thirty years behind the depot I think that I may. A swarm is not an accident; it is a family that moves out because the landlord did not look after the house. Give them room in April and they stay.'
const longComments: ArticlePage = {
  name: 'blog-comments-longer-than-article',
  title: 'On swarms',
  author: 'Martin Oduya',
  date: '2016-06-02',
  html: `<html><head><title>On swarms - The Hive Mind</title></head><body><div id="wrapper"><div id="header"><h1><a href="/">The Hive Mind</a></h1><div class="description">a beekeeper's diary</div></div><div id="main"><div class="date-outer"><h2 class="date-header"><span>Thursday, June 2, 2016</span></h2><div class="post hentry"><h3 class="post-title entry-title">On swarms</h3><div class="post-body entry-content"><p>${mark('So they want the hives away from the rails. I understand the drivers. It is no fun to stand in front of twenty thousand insects with a timetable in your hand.')}</p><p>${mark('But fifteen metres? My bees fly three kilometres for a lime tree. They will not notice.')}</p><p>${mark('I will move mine all the same, because I like the driver of the 6.14, who waves.')}</p></div><div class="post-footer"><span class="post-author vcard">Posted by <span class="fn">Martin Oduya</span></span> at <abbr class="published" title="2016-06-02T21:10:00+02:00">9:10 PM</abbr> <a>Email This</a> <a>BlogThis!</a></div></div></div>
<div class="comments" id="comments"><h4>5 comments:</h4><div id="comment-holder">${['Anonymous', 'Wenzel', 'Hedda', 'railfan77', 'Anonymous'].map((who, at) => `<div class="comment-block"><cite class="user">${who}</cite><span class="datetime">June ${3 + at}, 2016 at 8:0${at} AM</span><p class="comment-content">${LONG_COMMENT} ${'And another thing, which nobody says aloud at the meetings: the office counted in two wet summers. '.repeat(at % 3)}</p><a>Reply</a></div>`).join('')}</div><p class="comment-footer">Add comment</p></div></div><div id="sidebar"><h2>Blog Archive</h2><ul><li>2016 (14)<ul><li>June (2)</li><li>May (3)</li></ul></li></ul><h2>About Me</h2><p>I keep nine hives and a cat. View my complete profile</p></div></div></body></html>`,
}

const forumQa: ArticlePage = {
  name: 'forum-question-answers',
  title: 'How do I stop a hinge from squeaking without taking the door off?',
  author: 'lefthanded',
  date: '2017-03-09',
  html: `<html itemscope itemtype="https://schema.org/QAPage" lang="en"><head><title>wood - How do I stop a hinge from squeaking without taking the door off? - Home Workshop Exchange</title></head><body><header><a>Home Workshop Exchange</a><ul><li><a>Questions</a></li><li><a>Tags</a></li></ul></header><div id="mainbar" itemprop="mainEntity" itemscope itemtype="https://schema.org/Question"><div id="question-header"><h1 itemprop="name"><a class="question-hyperlink" href="/q/1">How do I stop a hinge from squeaking without taking the door off?</a></h1></div><div class="stats">Asked <time itemprop="dateCreated" datetime="2017-03-09T18:20:11">8 years ago</time> Viewed 21k times</div>
<div class="question"><div class="votecell">14</div><div class="postcell"><div class="s-prose" itemprop="text"><p>${mark('The door of our bedroom squeaks on its upper hinge. It is a heavy old door and I would rather not lift it off alone.')}</p><p>${mark('I tried cooking oil, which helped for a week and then made it worse. Is there something that lasts?')}</p></div><div class="post-tags"><a>wood</a><a>doors</a></div><div class="user-info" itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="name" href="/u/1">lefthanded</a><span>1,204</span></div></div></div>
<div id="answers"><h2>2 Answers</h2><div class="answer" itemprop="acceptedAnswer" itemscope itemtype="https://schema.org/Answer"><div class="votecell">31</div><div class="s-prose" itemprop="text"><p>${mark('Cooking oil turns into varnish. Clean the pin first: open the door halfway, put a wedge under it, and tap the pin upwards with a nail until you can pull it.')}</p><p>${mark('Wipe it, rub it with candle wax or graphite from a soft pencil, and tap it back. The door stays where it is because of the wedge and the lower hinge.')}</p><pre><code>${mark('wedge -> pin out -> wipe -> graphite -> pin in')}</code></pre></div><div class="user-info" itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Old Joiner</span></div></div><div class="answer" itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer"><div class="s-prose" itemprop="text"><p>${mark('White lithium grease from the bicycle shop. Mine has been silent for six years, in a house with three children.')}</p></div></div></div></div>
<div id="sidebar"><h4>Related</h4><div><a>Door does not latch in winter</a></div><div><a>What is the gap under an interior door for?</a></div></div><footer><p>User contributions licensed under a free licence. Site design and logo are trademarks of their owners.</p></footer></body></html>`,
}

const docs: ArticlePage = {
  name: 'docs-page-code-tables',
  title: 'Retrying failed jobs',
  author: null,
  date: null,
  html: `<!doctype html><html lang="en" data-theme="light"><head><title>Retrying failed jobs | Millrace docs</title><meta name="generator" content="Docusaurus v3.1.0"><meta name="docsearch:version" content="2.4"></head><body><nav class="navbar"><a class="navbar__brand">Millrace</a><a>Docs</a><a>API</a><a>Blog</a></nav><div class="main-wrapper"><aside class="theme-doc-sidebar-container"><ul class="menu__list"><li><a>Getting started</a></li><li><a>Queues</a></li><li><a>Workers</a></li><li><a class="menu__link--active">Retrying failed jobs</a></li><li><a>Metrics</a></li></ul></aside><main><div class="row"><div class="col docItemCol"><article><nav class="theme-doc-breadcrumbs"><ul><li><a>Guides</a></li><li><span>Retrying failed jobs</span></li></ul></nav><span class="theme-doc-version-badge">Version: 2.4</span><div class="theme-doc-markdown markdown"><header><h1>Retrying failed jobs</h1></header>
<p>${mark('A job that throws is put back into its queue until it has used up its attempts. Between two attempts the queue waits according to a backoff policy.')}</p><h2 id="policy">${mark('Choosing a policy')}<a class="hash-link" href="#policy">#</a></h2><p>${mark('The default policy is <code>exponential</code> with a base of two seconds. Set another one per queue:')}</p><div class="codeBlockContainer"><pre><code>${mark("queue('mail', {\n  attempts: 5,\n  backoff: { type: 'fixed', delay: 30_000 },\n})")}</code></pre><button>Copy</button></div><table><thead><tr><th>${mark('Type')}</th><th>${mark('Wait before attempt n')}</th></tr></thead><tbody><tr><td>${mark('fixed')}</td><td>${mark('delay')}</td></tr><tr><td>${mark('linear')}</td><td>${mark('delay times n')}</td></tr><tr><td>${mark('exponential')}</td><td>${mark('delay times two to the power of n')}</td></tr></tbody></table><div class="theme-admonition admonition-warning"><div>${mark('caution')}</div><p>${mark('A job that is not idempotent must not be retried. Set attempts to 1.')}</p></div><h2>${mark('Jobs that never succeed')}</h2><p>${mark('After the last attempt a job moves to the dead set, where it stays for fourteen days. You can list and requeue dead jobs from the command line.')}</p><ul><li>${mark('millrace dead list')}</li><li>${mark('millrace dead requeue --all')}</li></ul></div><footer><a>Edit this page</a></footer></article><nav class="pagination-nav"><a>Previous: Workers</a><a>Next: Metrics</a></nav></div><div class="col"><div class="tableOfContents"><ul><li><a>Choosing a policy</a></li><li><a>Jobs that never succeed</a></li></ul></div></div></div></main></div><footer class="footer">Copyright © 2024 Millrace contributors. Built with Docusaurus.</footer></body></html>`,
}

const wiki: ArticlePage = {
  name: 'wiki-infobox',
  title: 'Lake Orsa',
  author: null,
  date: null,
  html: `<!DOCTYPE html><html class="client-nojs" lang="en" dir="ltr"><head><meta charset="UTF-8"><title>Lake Orsa - Commonpedia</title></head><body class="mediawiki ltr ns-0 ns-subject"><div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><h1 id="firstHeading" class="firstHeading">Lake Orsa</h1><div id="bodyContent"><div id="siteSub">From Commonpedia, the free encyclopedia</div><div id="jump-to-nav"></div><div id="mw-content-text"><div class="mw-parser-output"><div role="note" class="hatnote">For the village, see <a>Orsa (village)</a>.</div><table class="infobox"><tbody><tr><th colspan="2">Lake Orsa</th></tr><tr><th>Coordinates</th><td>61.2° N 14.6° E</td></tr><tr><th>Max. length</th><td>15 km</td></tr><tr><th>Max. depth</th><td>97 m</td></tr><tr><th>Frozen</th><td>December to April</td></tr></tbody></table>
<p>${mark('<b>Lake Orsa</b> is a lake in the central highlands. It is fed by two rivers and empties into the larger Lake Sill through a narrow strait that freezes last and thaws first.<sup class="reference"><a href="#cite1">[1]</a></sup>')}</p><p>${mark('The lake was formed by the impact of a meteorite some 377 million years ago, and lies in a ring-shaped depression which geologists recognised only in the 1960s.')}</p><div id="toc" class="toc"><h2>Contents</h2><ul><li><a>1 Geology</a></li><li><a>2 Fishing</a></li></ul></div><h2><span class="mw-headline">${mark('Geology')}</span><span class="mw-editsection">[<a>edit</a>]</span></h2><p>${mark('Granite surrounds the basin, while its floor consists of limestone and sandstone that were protected from erosion by the collapse of the crater wall.')}</p><h2><span class="mw-headline">${mark('Fishing')}</span><span class="mw-editsection">[<a>edit</a>]</span></h2><p>${mark('Perch and pike are caught throughout the year. The cooperative of the northern shore has held the right to fish with nets since 1641, and publishes its catches in a yearbook.')}</p><ul><li>${mark('Perch: about 14 tonnes a year')}</li><li>${mark('Pike: about 6 tonnes a year')}</li></ul>
<h2><span class="mw-headline">References</span></h2><div class="reflist"><ol class="references"><li id="cite1"><cite>Berg, K. (1998). Lakes of the highlands. Falun: Dala Press. p. 41.</cite></li></ol></div><div class="navbox"><table><tr><th>Lakes of the highlands</th></tr><tr><td><a>Lake Sill</a> · <a>Lake Amung</a> · <a>Lake Runn</a> · <a>Lake Skattung</a></td></tr></table></div></div></div><div id="catlinks" class="catlinks">Categories: <a>Lakes</a> <a>Impact craters</a></div></div></div><div id="mw-navigation"><h2>Navigation menu</h2><ul><li>Main page</li><li>Random article</li></ul></div><div id="footer"><ul><li>This page was last edited on 3 May 2024, at 10:12.</li><li>Text is available under a Creative Commons licence; additional terms may apply.</li></ul></div></body></html>`,
}

const brBr: ArticlePage = {
  name: 'old-blog-br-br',
  title: 'A drain for the cellar',
  author: null,
  date: '2008-02-17',
  html: `<html><head><title>cellar diary: A drain for the cellar</title></head><body><div id="links"><b>links</b><br><a href="/1">home</a><br><a href="/2">archive</a><br><a href="/3">mail me</a></div><div id="entry"><span class="date">17 February 2008</span><h2>A drain for the cellar</h2>
${mark('It rained for nine days and on the tenth the cellar answered. I came down in the morning and the jars of plums were floating about like ducks.')}<br><br>${mark('A man from the hardware shop sold me a pump and told me that a pump is what you buy while you think about a drain. He was right. I have thought about a drain for a week now, with the pump running.')}<br><br>${mark('The plan: a trench along the north wall, forty centimetres deep, gravel, a pipe with holes, more gravel, and then a hole in the wall that I do not look forward to.')}<br><br>${mark('If you hear nothing of me by Easter, look for me among the plums.')}<br><br><small>posted at 22:40 | <a href="#c">4 comments</a> | <a href="#p">permalink</a></small></div></body></html>`,
}

const nestedSections: ArticlePage = {
  name: 'nested-sections-web-components',
  title: BRIDGE.title,
  author: 'Ines Carver',
  date: '2024-04-19',
  html: `<!doctype html><html lang="en"><head><title>${BRIDGE.title}</title><meta property="og:type" content="article"><meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ines Carver"><meta name="twitter:label2" content="Est. reading time"><meta name="twitter:data2" content="3 minutes"></head><body><app-root><site-header><a>Home</a></site-header><main-content><section><section><h1>${BRIDGE.title}</h1><x-meta><span>Published: 19 Apr 2024</span></x-meta></section><section><section><section><p>${mark(BRIDGE.paragraphs[0]!)}</p></section><section><p>${mark(BRIDGE.paragraphs[1]!)}</p><section><p>${mark(BRIDGE.paragraphs[2]!)}</p></section></section></section><section><section><p>${mark(BRIDGE.paragraphs[3]!)}</p><p>${mark(BRIDGE.paragraphs[4]!)}</p></section></section><section><p>${mark(BRIDGE.paragraphs[5]!)}</p></section><section><p>${mark(BRIDGE.paragraphs[6]!)}</p></section></section></section></main-content><site-footer><p>All rights reserved by the publisher, 2024</p></site-footer></app-root></body></html>`,
}

const noscript: ArticlePage = {
  name: 'noscript-warning-lazy-images',
  title: CHESS.title,
  author: 'Petr Novák',
  date: '2024-02-11',
  html: `<!doctype html><html lang="en"><head><title>Fifteen-year-old holds champion to a draw in simultaneous exhibition « Sport « Moravian Post</title></head><body><noscript><div class="warn">You need to enable JavaScript to run this site. Please turn it on in the settings of your browser and load the page again.</div></noscript><div class="wrapper"><div class="crumbs">You are here: Home » Sport » Chess</div><h1>${CHESS.title}</h1><div class="article-meta">11.02.2024 19:30 | <em>Petr Novák</em> | Category: Chess</div><div class="article-text">${CHESS.paragraphs.map((text) => `<p>${mark(text)}</p><img data-src="x.jpg" class="lazy"><noscript><img src="x.jpg"></noscript>`).join('')}<p class="source">Source: Moravian Post</p></div><div class="rating">Rate this article: <span>★★★★☆</span> (14 votes)</div></div></body></html>`,
}

const listicle: ArticlePage = {
  name: 'listicle-affiliate',
  title: 'The 4 best folding saws, tested on a fallen ash',
  author: 'Bram de Wit',
  date: '2024-03-02',
  html: `<html lang="en"><head><title>The 4 best folding saws, tested on a fallen ash | Outdoors Weekly</title><meta property="og:type" content="article"></head><body><header>Outdoors Weekly</header><article><h1>The 4 best folding saws, tested on a fallen ash</h1><div class="author-line">Bram de Wit</div><div class="published">Last updated: March 9, 2024 · Published: March 2, 2024</div><p class="disclosure">We may earn a commission if you buy through links on this page.</p><p>${mark('A storm gave us an ash tree, sixty centimetres thick and across the path, and a reason to find out which of the saws in the drawer deserve their place in it.')}</p>
${[
  [
    'Kestrel 210',
    'It cut a branch as thick as an arm in eleven strokes, and the lock did not move. The handle is too short for large hands.',
    '$49',
  ],
  [
    'Toma Pocket',
    'Light enough to forget. It forgets too: after the third branch the blade had a wave in it.',
    '$24',
  ],
  [
    'Fjell Pro',
    'The best blade here by far, in the worst sheath. Ours opened in the rucksack.',
    '$71',
  ],
  [
    'Basic No. 4',
    'Half the price, two thirds of the saw. For twice a year it is all you need.',
    '$15',
  ],
]
  .map(
    ([name, text, price], at) =>
      `<h2>${mark(`${at + 1}. ${name}`)}</h2><figure><img src="s${at}.jpg"><figcaption>Photo: Bram de Wit</figcaption></figure><p>${mark(text!)}</p><div class="buy-box"><a class="btn" href="/buy">Buy at ToolBarn for ${price}</a></div>`,
  )
  .join(
    '',
  )}<h2>${mark('How we tested')}</h2><p>${mark('Each saw made twenty cuts through green wood and five through dry wood, by the same arm, on two days. We counted strokes, and bandages.')}</p></article><div class="trending"><h3>Trending now</h3><ol><li><a>Boots that survived a year of rain</a></li><li><a>What to carry when you carry nothing</a></li></ol></div></body></html>`,
}

const ghost: ArticlePage = {
  name: 'ghost-theme',
  title: COMPILER.title,
  author: 'Anika Rao, Jo Sato',
  date: '2023-12-01',
  html: `<!DOCTYPE html><html lang="en"><head><title>${COMPILER.title}</title><meta name="generator" content="Ghost 5.7"><meta property="article:published_time" content="2023-12-01T15:12:40.000Z"></head><body class="post-template"><div class="gh-viewport"><header class="gh-head"><a class="gh-head-logo">Level Nine</a><nav><ul><li><a>Home</a></li><li><a>About</a></li></ul></nav></header><main class="gh-main"><article class="gh-article post tag-builds featured"><header class="gh-article-header"><a class="post-card-primary-tag">Builds</a><h1 class="gh-article-title">${COMPILER.title}</h1><p class="gh-article-excerpt">A queue with a memory.</p><div class="gh-article-meta"><ul class="author-list"><li><a href="/author/anika/">Anika Rao</a></li><li><a href="/author/jo/">Jo Sato</a></li></ul><div class="byline-meta"><time datetime="2023-12-01">Dec 1, 2023</time><span>• 4 min read</span></div></div></header><section class="gh-content">${paragraphs(COMPILER)}<div class="kg-card kg-callout-card"><div class="kg-callout-text">${mark('The numbers are medians over working days.')}</div></div></section></article><section class="gh-article-comments"><h2>Member discussion</h2></section></main><aside class="read-more-wrap"><article class="post-card"><h2>A cache is a promise</h2><div class="post-card-excerpt">On invalidation, and what my grandmother had to say about it.</div></article></aside></div></body></html>`,
}

const phpbb: ArticlePage = {
  name: 'mailing-list-plain',
  title: '[assoc] Re: proposal for the new water meters',
  author: 'Oskar Lindh',
  date: '2011-09-14',
  html: `<html><head><title>[assoc] Re: proposal for the new water meters</title></head><body><h1>[assoc] Re: proposal for the new water meters</h1><b>Oskar Lindh</b> <a href="mailto:o">oskar at lindh.example</a><br><i>Wed Sep 14 20:11:07 CEST 2011</i><ul><li>Previous message: <a>[assoc] proposal for the new water meters</a></li><li>Next message: <a>[assoc] minutes of August</a></li></ul><hr><pre>${mark(`Dear all,

I read the offer twice. Twelve euros a year and meter sounds like little,
but with 214 flats it is more than the caretaker gets for the garden.

The old meters are calibrated until 2014. I propose to wait, ask for three
offers instead of one, and put it on the agenda of the spring meeting.

${VOTE.paragraphs[4]!}

Regards
Oskar`)}</pre><hr><a>More information about the assoc mailing list</a></body></html>`,
}

const aspNet: ArticlePage = {
  name: 'municipal-aspnet',
  title: BEES.title,
  author: null,
  date: '2023-07-03',
  html: `<html lang="en"><head><title>City of Brenn - News</title></head><body><form method="post" action="./news.aspx?id=77" id="form1"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUKLTE"><table id="layout"><tr><td id="left"><ul><li><a>Town hall</a></li><li><a>Forms</a></li><li><a>Waste</a></li></ul></td><td id="mid"><div id="ctl00_ContentPlaceHolder1_pnl"><span id="ctl00_lblDate">03.07.2023</span><h2 id="ctl00_lblTitle">${BEES.title}</h2><span id="ctl00_lblBody"><div>${mark(BEES.paragraphs[0]!)}</div><div>&nbsp;</div><div>${mark(BEES.paragraphs[1]!)}</div><div>&nbsp;</div><div>${mark(BEES.paragraphs[3]!)}</div><div>&nbsp;</div><div>${mark(BEES.paragraphs[4]!)}</div><div>${mark(BEES.paragraphs[5]!)}</div></span><a href="javascript:history.back()">Back</a> <a href="#">Print</a></div></td></tr></table><div id="foot">City of Brenn, Market 1, telephone 555 0111. Opening hours: Monday to Friday 8 to 12, Thursday also 14 to 18.</div></form></body></html>`,
}

export const BLOG_ARTICLES: ArticlePage[] = [
  wordpress,
  elementor,
  drupal,
  medium,
  substack,
  longComments,
  forumQa,
  docs,
  wiki,
  brBr,
  nestedSections,
  noscript,
  listicle,
  ghost,
  phpbb,
  aspNet,
]
