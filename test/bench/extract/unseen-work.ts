/** Manuals, shops, recipes, offices, lists and other pages that are no articles. */
import { type ArticlePage, jsonLd, mark } from './article-page.ts'

export const WORK_PAGES: ArticlePage[] = [
  {
    name: 'unseen-docs-code-spans',
    title: 'Draining a worker',
    author: null,
    date: '2024-08-02',
    html: `<!doctype html><html lang="en" dir="ltr" class="docs-wrapper plugin-docs"><head><title data-rh="true">Draining a worker | Millrace</title><meta name="generator" content="Docusaurus v3.4.0"></head><body class="navigation-with-keyboard"><div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent_f">Skip to main content</a></div><nav aria-label="Main" class="theme-layout-navbar navbar"><div class="navbar__inner"><b>Millrace</b></div></nav><div class="main-wrapper"><div class="docsWrapper_h"><aside class="theme-doc-sidebar-container"><ul><li><a>Workers</a></li></ul></aside><main class="docMainContainer_T"><div class="container"><div class="row"><div class="col docItemCol_V"><div class="docItemContainer_D"><article><nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z"><ul class="breadcrumbs"><li>Operate</li><li>Draining a worker</li></ul></nav><div class="tocCollapsible_E theme-doc-toc-mobile"><button>On this page</button></div><div class="theme-doc-markdown markdown"><header><h1>Draining a worker</h1></header><p>${mark('A worker that is told to drain takes no new jobs and leaves when the last one it holds is done.')}</p><h2 class="anchor" id="send">${mark('Sending the signal')}<a class="hash-link" aria-label="Direct link">​</a></h2><p>${mark('Send the first signal with the command line, or with <code>kill</code> if you only have a shell:')}</p><div class="language-bash codeBlockContainer_C theme-code-block"><div class="codeBlockTitle_K">${mark('terminal')}</div><div class="codeBlockContent_Q"><pre tabindex="0" class="prism-code language-bash"><code class="codeBlockLines_e"><span class="token-line"><span class="token plain">${mark('millrace worker drain ')}</span><span class="token parameter">${mark('--wait 30s')}</span><br></span></code></pre><div class="buttonGroup__"><button>Copy</button></div></div></div><div class="theme-admonition theme-admonition-note alert"><div class="admonitionHeading_G">${mark('note')}</div><div class="admonitionContent_B"><p>${mark('A second signal within five seconds ends the worker at once; its jobs go back to the queue.')}</p></div></div><div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">npm</li><li role="tab">bun</li></ul><div><div role="tabpanel">${mark('npx millrace drain')}</div><div role="tabpanel" hidden>bunx millrace drain</div></div></div></div><footer class="theme-doc-footer"><div class="theme-doc-footer-edit-meta-row"><a>Edit this page</a><span class="theme-last-updated">Last updated<!-- --> on <b><time datetime="2024-08-02T08:00:00.000Z" itemprop="dateModified">Aug 2, 2024</time></b> by <b>anika</b></span></div></footer></article><nav class="pagination-nav"><a>Previous</a></nav></div></div><div class="col col--3"><div class="tableOfContents_b thin-scrollbar"><ul><li><a>Sending the signal</a></li></ul></div></div></div></div></main></div></div><footer class="theme-layout-footer footer">Copyright © 2024 Millrace</footer></div></body></html>`,
  },
  {
    name: 'unseen-sphinx-docs',
    title: 'Tide constants',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html class="writer-html5" lang="en"><head><title>Tide constants &mdash; tidetables 1.6 documentation</title><meta name="generator" content="Docutils 0.18"></head><body class="wy-body-for-nav"><div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><div class="wy-side-nav-search"><a class="icon icon-home">tidetables</a></div><div class="wy-menu"><ul><li class="toctree-l1"><a>Installation</a></li><li class="toctree-l1 current"><a>Tide constants</a></li></ul></div></nav><section class="wy-nav-content-wrap"><div class="wy-nav-content"><div class="rst-content"><div role="navigation" aria-label="Page navigation"><ul class="wy-breadcrumbs"><li><a class="icon icon-home"></a></li><li>Tide constants</li><li class="wy-breadcrumbs-aside"><a>View page source</a></li></ul><hr></div><div role="main" class="document"><div itemprop="articleBody"><section id="tide-constants"><h1>Tide constants<a class="headerlink" href="#tide-constants" title="Permalink to this heading">¶</a></h1><p>${mark('Every gauge has a file of constants. The program reads it when a table is asked for and keeps it for an hour.')}</p><section id="format"><h2>${mark('Format')}<a class="headerlink" title="Permalink">¶</a></h2><dl class="py function"><dt class="sig sig-object py" id="read"><span class="sig-prename descclassname">${mark('tidetables.')}</span><span class="sig-name descname">${mark('read')}</span><span class="sig-paren">(</span><em class="sig-param">${mark('path')}</em><span class="sig-paren">)</span><a class="headerlink">¶</a></dt><dd><p>${mark('Return the constants of one gauge.')}</p><dl class="field-list simple"><dt class="field-odd">${mark('Parameters')}</dt><dd class="field-odd"><p>${mark('path – where the file is; a bare name is looked up beside the program.')}</p></dd></dl></dd></dl><div class="highlight-default notranslate"><div class="highlight"><pre>${mark('hollin = read("hollin.cst")\nhollin.low_water(2024, 3, 19)')}</pre></div></div><div class="admonition warning"><p class="admonition-title">${mark('Warning')}</p><p>${mark('Constants older than nineteen years are refused.')}</p></div></section></section></div></div><footer><div class="rst-footer-buttons"><a>Previous</a><a>Next</a></div><hr><div role="contentinfo"><p>&#169; Copyright 2005-2022, Greta Amundsen.</p></div>Built with Sphinx using a theme provided by Read the Docs.</footer></div></div></section></div></body></html>`,
  },
  {
    name: 'unseen-reference-site',
    title: 'Tray.lift()',
    author: null,
    date: '2024-06-03',
    html: `<!doctype html><html lang="en-US"><head><title>Tray.lift() - Kitchen APIs | RDN</title><meta property="og:title" content="Tray.lift() - Kitchen APIs | RDN"></head><body><div id="root"><ul id="nav-access"><li><a>Skip to main content</a></li></ul><div class="page-wrapper"><div class="top-banner"><p>Sponsored by a maker of trays</p></div><header class="top-navigation"><a>RDN</a><ul><li>References</li><li>Learn</li></ul></header><nav class="breadcrumbs-container"><ol><li>References</li><li>Kitchen</li></ol></nav><div class="main-wrapper"><div class="sidebar-container"><aside class="sidebar"><nav><h3>In this article</h3><ul><li>Syntax</li><li>Examples</li></ul></nav></aside></div><main id="content" class="main-content"><article class="main-page-content" lang="en-US"><header><h1>Tray.lift()</h1><details class="baseline-indicator high"><summary><span class="indicator"></span><h2>Baseline<span>Widely available</span></h2></summary><div class="extra"><p>This feature is well established and works across many devices and browser versions.</p></div></details></header><div class="section-content"><p>${mark('The lift() method of the Tray interface raises the tray by a number of fingers and returns a promise that resolves when nothing slides any more.')}</p></div><section><h2 id="syntax"><a>${mark('Syntax')}</a></h2><div class="section-content"><div class="code-example"><div class="example-header"><span class="language-name">js</span><button class="icon copy-icon">Copy to Clipboard</button></div><pre class="brush: js notranslate"><code>${mark('lift()\nlift(fingers)')}</code></pre></div></div></section><section><h3 id="parameters"><a>${mark('Parameters')}</a></h3><div class="section-content"><dl><dt id="fingers"><code>${mark('fingers')}</code> <span class="badge">${mark('Optional')}</span></dt><dd><p>${mark('How far to lift. The default is four.')}</p></dd></dl></div></section><section><h2>${mark('Examples')}</h2><div class="section-content"><p>${mark('Lift before you turn, never after. A tray that is turned first throws its cups.')}</p></div></section></article><aside class="article-footer"><h2>Help improve RDN</h2><fieldset class="feedback"><label>Was this page helpful to you?</label><button>Yes</button></fieldset><p class="last-modified-date">This page was last modified on <time datetime="2024-06-03T17:11:09.000Z">Jun 3, 2024</time> by RDN contributors.</p></aside></main></div><footer class="page-footer"><p>Portions of this content are ©1998–2024 by individual contributors.</p></footer></div></div></body></html>`,
  },
  {
    name: 'unseen-shop-product-accordions',
    title: 'Harbour enamel kettle, 2 litres',
    author: null,
    date: null,
    html: `<!doctype html><html lang="en"><head><title>Harbour enamel kettle, 2 litres – Larder &amp; Rope</title><meta property="og:site_name" content="Larder &amp; Rope"><meta property="og:title" content="Harbour enamel kettle, 2 litres"><meta property="og:type" content="product">${jsonLd({ '@context': 'http://schema.org/', '@type': 'Product', name: 'Harbour enamel kettle, 2 litres', brand: { '@type': 'Brand', name: 'Harbour' }, offers: [{ '@type': 'Offer', price: '64.00', priceCurrency: 'GBP', availability: 'http://schema.org/InStock' }] })}</head><body><div class="announcement-bar">Free delivery over £80</div><header class="header-wrapper"><a>Larder &amp; Rope</a><a>Shop</a><a>Basket</a></header><main id="MainContent"><section class="shopify-section"><product-info class="product"><div class="product__media-wrapper"><img src="k.jpg"></div><div class="product__info-wrapper"><div class="product__info-container"><p class="product__text caption-with-letter-spacing">Harbour</p><div class="product__title"><h1>Harbour enamel kettle, 2 litres</h1></div><div class="price"><span class="visually-hidden">Regular price</span><span class="price-item">£64.00 GBP</span></div><div class="product__tax">Tax included.</div><form><label>Quantity</label><button>Add to basket</button></form><div class="product__description rte"><p>${mark('A kettle for people who forget kettles. The base is four millimetres of steel, so it sings long before it burns, and the enamel is fired twice.')}</p><ul><li>${mark('Works on gas, induction and a driftwood fire')}</li><li>${mark('Handle stays cool on induction, less so on driftwood')}</li><li>${mark('Made in a town with one kettle works')}</li></ul></div><div class="product__accordion accordion"><details><summary><h2 class="accordion__title">${mark('Care')}</h2></summary><div class="accordion__content rte"><p>${mark('Wash by hand. Boil out with vinegar twice a year if your water is hard.')}</p></div></details></div></div></div></product-info></section><section class="related-products"><h2>You may also like</h2><ul><li><a>Harbour enamel mug</a><span>£12.00 GBP</span></li><li><a>Rope trivet</a><span>£9.00 GBP</span></li></ul></section></main><footer class="footer"><p>© 2024, Larder &amp; Rope</p></footer></body></html>`,
  },
  {
    name: 'unseen-shop-tabs-attributes',
    title: 'Folding saw 210',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html lang="en-GB"><head><title>Folding saw 210 - Green Woodworker</title></head><body class="product-template-default single-product woocommerce"><div id="page"><header id="masthead" class="site-header"><a>Green Woodworker</a></header><div class="storefront-breadcrumb"><nav class="woocommerce-breadcrumb"><a>Home</a> / <a>Saws</a> / Folding saw 210</nav></div><div id="content"><main id="main"><div id="product-77" class="product type-product"><div class="woocommerce-product-gallery"><img src="s.jpg"></div><div class="summary entry-summary"><h1 class="product_title entry-title">Folding saw 210</h1><p class="price"><span class="woocommerce-Price-amount">£38.50</span></p><div class="woocommerce-product-details__short-description"><p>${mark('A pocket saw that cuts on the pull, for branches up to the thickness of a wrist.')}</p></div><p class="stock in-stock">12 in stock</p><form class="cart"><button>Add to basket</button></form><div class="product_meta"><span class="sku_wrapper">SKU: FS210</span> <span class="posted_in">Category: Saws</span></div></div><div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs"><li>Description</li><li>Additional information</li><li>Reviews (2)</li></ul><div class="woocommerce-Tabs-panel" id="tab-description"><h2>${mark('Description')}</h2><p>${mark('The blade folds into its handle and locks in two places, open and half open, the second for work close to the ground. The teeth are cut in three facets and cannot be sharpened; a new blade takes a minute to change.')}</p><p>${mark('We have used one every day since 2016. It has outlived two dogs and a marriage.')}</p></div><div class="woocommerce-Tabs-panel" id="tab-additional_information"><h2>${mark('Additional information')}</h2><table class="woocommerce-product-attributes"><tr><th>${mark('Blade length')}</th><td><p>${mark('210 mm')}</p></td></tr><tr><th>${mark('Weight')}</th><td><p>${mark('0.24 kg')}</p></td></tr></table></div><div class="woocommerce-Tabs-panel" id="tab-reviews"><div id="reviews" class="woocommerce-Reviews"><h2>2 reviews for Folding saw 210</h2><ol class="commentlist"><li class="review"><div class="comment-text"><p class="meta"><strong>Gwen</strong> – <time datetime="2023-02-01">1 February 2023</time></p><p>Cuts like a rumour, quick and in both directions if you are not careful with it.</p></div></li></ol></div></div></div><section class="related products"><h2>Related products</h2><ul><li><a>Spare blade 210</a></li></ul></section></div></main></div></div></body></html>`,
  },
  {
    name: 'unseen-recipe-card',
    title: 'Barley soup with burnt leeks',
    author: 'Saga Lindholm',
    date: '2021-11-20',
    html: `<!DOCTYPE html><html lang="en-US"><head><title>Barley Soup with Burnt Leeks (One Pot!) - Soup Season</title>${jsonLd(
      {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'WebPage',
            name: 'Barley Soup with Burnt Leeks (One Pot!) - Soup Season',
            datePublished: '2021-11-20T07:00:00+00:00',
          },
          {
            '@type': 'Recipe',
            name: 'Barley soup with burnt leeks',
            author: { '@type': 'Person', name: 'Saga Lindholm' },
            datePublished: '2021-11-20T07:00:00+00:00',
            recipeIngredient: ['200 g pearl barley', '3 leeks'],
            recipeInstructions: [{ '@type': 'HowToStep', text: 'Burn the leeks.' }],
          },
        ],
      },
    )}</head><body class="single"><header class="site-header"><p class="site-title">Soup Season</p></header><main class="content"><article class="entry"><header class="entry-header"><h1 class="entry-title">Barley soup with burnt leeks</h1><p class="entry-meta">Nov 20, 2021 by <span class="entry-author">Saga Lindholm</span> · 12 Comments</p><div class="jump"><a class="wprm-recipe-jump">Jump to Recipe</a> <a>Print Recipe</a></div></header><div class="entry-content"><p class="disclosure">This post may contain affiliate links. Please read our disclosure policy.</p><p>${mark('I burned the leeks by accident the first time, while on the telephone. Now I telephone on purpose.')}</p><h2>${mark('Why barley')}</h2><p>${mark('It keeps its bite for two days, and the soup is better on the second, when the barley has drunk half of it.')}</p><div class="wprm-recipe-container"><div class="wprm-recipe"><div class="wprm-recipe-rating">4.8 from 31 votes</div><h2 class="wprm-recipe-name">${mark('Barley soup with burnt leeks')}</h2><div class="wprm-recipe-times">Prep Time 10 minutes Cook Time 50 minutes</div><h3>${mark('Ingredients')}</h3><ul class="wprm-recipe-ingredients"><li>${mark('200 g pearl barley')}</li><li>${mark('3 leeks, halved lengthwise')}</li><li>${mark('1.5 litres of stock')}</li><li>${mark('a lemon')}</li></ul><h3>${mark('Instructions')}</h3><ol class="wprm-recipe-instructions"><li>${mark('Lay the leeks cut side down in a dry pot and leave them alone until they are black.')}</li><li>${mark('Add barley and stock and simmer for fifty minutes.')}</li><li>${mark('Lift the leeks out, cut them up, put them back, and squeeze the lemon over it.')}</li></ol></div></div></div><footer class="entry-footer">Filed Under: Soups</footer></article><section id="comments" class="entry-comments"><h3>Comments</h3><ol><li class="comment"><p>Tove says</p><p>Made this last night with rye because the shop was out of barley, and my children asked whether it was supposed to look like that, and then ate it all.</p></li></ol></section></main><aside class="sidebar"><h4>Hi, I'm Saga!</h4><p>I make soup in a town by a lake.</p></aside></body></html>`,
  },
  {
    name: 'unseen-government-notice',
    title: 'Notice on the temporary closing of the Hollin lock',
    author: null,
    date: '2023-10-16',
    html: `<!DOCTYPE html><html lang="en"><head><title>Notice on the temporary closing of the Hollin lock - Waterways Directorate</title><meta name="dcterms.title" content="Notice on the temporary closing of the Hollin lock"></head><body class="ecl"><header class="ecl-site-header" role="banner"><a>Waterways Directorate</a><form role="search"><input></form></header><nav class="ecl-breadcrumb"><ol><li>Home</li><li>Notices</li></ol></nav><div class="ecl-page-header"><ul class="ecl-page-header__meta"><li class="ecl-page-header__meta-item">NOTICE</li><li class="ecl-page-header__meta-item">Publication 16 October 2023</li></ul><h1 class="ecl-page-header__title">Notice on the temporary closing of the Hollin lock</h1></div><main class="ecl-container"><div class="ecl-inpage-navigation"><div>Page contents</div><ul><li><a>Scope</a></li><li><a>Exceptions</a></li></ul></div><div class="ecl"><h2 class="ecl-u-type-heading-2" id="scope">${mark('Scope')}</h2><p>${mark('The lock is closed to all vessels from 6 November 2023 until the gates have been replaced, which is expected to take nine weeks.')}</p><p>${mark('Vessels of less than six metres may use the slipway at Sluice End during daylight.')}</p><h2>${mark('Exceptions')}</h2><ol><li>${mark('Rescue boats and boats of the Directorate.')}</li><li>${mark('Boats that carry animal feed, on written request.')}</li></ol></div><dl class="ecl-description-list"><dt>Publication date</dt><dd>16 October 2023</dd><dt>Author</dt><dd>Waterways Directorate</dd></dl><div class="ecl-file"><a>Download (112 KB - PDF)</a></div><div class="ecl-social-media-share"><p>Share this page</p></div></main><footer class="ecl-site-footer"><p>Last update: 2 January 2024</p></footer></body></html>`,
  },
  {
    name: 'unseen-wiki-article',
    title: 'Hollin tide mill',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html class="client-nojs" lang="en" dir="ltr"><head><title>Hollin tide mill - Wendpedia</title><meta name="generator" content="MediaWiki 1.41.0"></head><body class="skin-vector ns-0"><div id="mw-page-base" class="noprint"></div><div id="content" class="mw-body" role="main"><div id="siteNotice">Help us to keep the servers dry</div><h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Hollin tide mill</span></h1><div id="bodyContent" class="vector-body"><div id="siteSub" class="noprint">From Wendpedia, the free encyclopedia</div><div id="mw-content-text" class="mw-body-content"><div class="mw-parser-output"><div role="note" class="hatnote">For the priory, see Hollin Priory.</div><table class="infobox"><tbody><tr><th colspan="2">Hollin tide mill</th></tr><tr><th>Built</th><td>before 1611</td></tr></tbody></table><p>${mark('The <b>Hollin tide mill</b> was a tide mill at the mouth of the Wend.')}<sup class="reference"><a>[1]</a></sup> ${mark('It ground from before 1611 until 1911 and was the last on its coast to do so.')}</p><div id="toc" class="toc"><h2>Contents</h2><ul><li>1 History</li></ul></div><h2><span class="mw-headline">${mark('History')}</span><span class="mw-editsection">[<a>edit</a>]</span></h2><p>${mark('The survey of 1611 gives the rent as twenty-two shillings and a hundred eels.')}<sup class="reference"><a>[2]</a></sup> ${mark('A flood in 1703 broke the pond wall, and the miller was paid for eleven days in which the mill ran backwards.')}</p><ul><li>${mark('1790: the rent in eels ends')}</li><li>${mark('1911: the last grinding')}</li></ul><h2><span class="mw-headline">References</span><span class="mw-editsection">[edit]</span></h2><div class="reflist"><ol class="references"><li>Thorne, H. J. <i>Mills of the lower Wend</i>, 1997, p. 12.</li><li>Survey roll, f. 8.</li></ol></div><div class="navbox"><table><tr><td>Mills of the Wend: Hollin, Sluice End</td></tr></table></div></div></div><div id="catlinks" class="catlinks">Categories: Tide mills</div></div></div><div id="mw-navigation"><div id="p-navigation"><h3>Navigation</h3><ul><li>Main page</li><li>Random article</li></ul></div></div><footer id="footer" class="mw-footer"><ul><li id="footer-info-lastmod"> This page was last edited on 4 May 2024, at 10:12.</li><li>Text is available under a free licence.</li></ul></footer></body></html>`,
  },
  {
    name: 'unseen-blog-index',
    title: 'Notes',
    author: null,
    date: null,
    html: `<!doctype html><html lang="en"><head><title>Notes | Workshop of Edda Klint</title></head><body><header class="site"><a href="/">Workshop of Edda Klint</a><nav><a>Work</a><a>Notes</a></nav></header><main><h1>Notes</h1><p>${mark('Short texts about tools, mostly about the ones that I broke.')}</p>${[
      [
        'A plane iron from a file',
        'How to anneal a file in a kitchen, and what to say to the person whose kitchen it was.',
        'May 2, 2024',
      ],
      [
        'Glue has a memory',
        'Hide glue forgives, white glue does not, and the yellow one pretends that nothing happened.',
        'Apr 11, 2024',
      ],
      [
        'Three clamps too few',
        'A chair in four stages of despair, with measurements and a list of what was in reach.',
        'Mar 30, 2024',
      ],
      [
        'The bench moves',
        'It should not. A note on floors, wedges and the weight of good intentions.',
        'Feb 19, 2024',
      ],
    ]
      .map(
        ([title, teaser, when], at) =>
          `<article class="card"><h2><a href="/n/${at}">${mark(title!)}</a></h2><time>${when}</time><p>${mark(teaser!)}</p><a class="more" href="/n/${at}">Read more</a></article>`,
      )
      .join(
        '',
      )}<nav class="pagination"><a>Older notes</a></nav></main><footer>© Edda Klint</footer></body></html>`,
  },
  {
    name: 'unseen-job-posting',
    title: 'Lock keeper (part time)',
    author: null,
    date: '2024-01-08',
    html: `<!doctype html><html lang="en"><head><title>Lock keeper (part time) - Waterways Directorate - Jobs on the River</title></head><body><header><a>Jobs on the River</a><a>Post a job</a></header><div class="job"><div class="job-head"><h1 class="job-title">Lock keeper (part time)</h1><div class="job-company">Waterways Directorate</div><ul class="job-facts"><li>Hollin</li><li>20 hours</li><li>Posted 8 January 2024</li></ul><a class="apply-btn">Apply now</a></div><div class="job-body"><h3>${mark('What you will do')}</h3><p>${mark('Open and close the gates for boats between May and October, by hand when the power fails, which it does when it rains.')}</p><ul><li>${mark('Keep the log of passages')}</li><li>${mark('Grease the pinions once a week')}</li><li>${mark('Explain to visitors, kindly, that they cannot swim here')}</li></ul><h3>${mark('What you bring')}</h3><ul><li>${mark('Patience with people and with water')}</li><li>${mark('A boat licence, or the will to get one')}</li></ul><h3>${mark('What we offer')}</h3><p>${mark('A small house beside the lock, with a stove, and neighbours who are mostly herons.')}</p></div></div><div class="similar-jobs"><h2>Similar jobs</h2><ul><li><a>Ferry hand, Sluice End</a></li><li><a>Dyke inspector</a></li></ul></div><footer><p>Jobs on the River is a service of the harbour association.</p></footer></body></html>`,
  },
  {
    name: 'unseen-faq-accordion',
    title: 'Questions about borrowing seeds',
    author: null,
    date: null,
    html: `<!doctype html><html lang="en"><head><title>Questions about borrowing seeds - Seed Library</title></head><body><header class="navbar"><a>Seed Library</a></header><main class="page"><h1>Questions about borrowing seeds</h1><div class="accordion" id="faq">${[
      [
        'How many kinds may I take?',
        'Five in a year, and one more if you bring a jar. We do not count the ones that fall on the floor.',
      ],
      [
        'What if nothing comes up?',
        'Tell us when and where you sowed. A failure that is written down is worth more to us than a harvest that is not.',
      ],
      [
        'Do I have to give seeds back?',
        'Twice what you took, dry and in paper. Beans are easy; carrots cross with everything and we would rather have none.',
      ],
    ]
      .map(
        ([question, answer], at) =>
          `<div class="card accordion-item"><div class="card-header" id="h${at}"><h2 class="mb-0"><button class="btn btn-link collapsed" type="button" data-toggle="collapse" aria-expanded="false">${mark(question!)}</button></h2></div><div id="c${at}" class="collapse" aria-labelledby="h${at}"><div class="card-body">${mark(answer!)}</div></div></div>`,
      )
      .join(
        '',
      )}</div></main><footer class="footer"><p>Seed Library, the old bank, open on Saturdays.</p></footer></body></html>`,
  },
  {
    name: 'unseen-event-page',
    title: 'Open day at the lock',
    author: null,
    date: null,
    html: `<!doctype html><html lang="en"><head><title>Open day at the lock | What's on in Hollin</title></head><body><div id="nav"><a>What's on</a><a>Submit an event</a></div><div class="event-single"><h1 class="event-title">Open day at the lock</h1><div class="event-when"><span class="event-date">Saturday 18 May 2024</span> <span>10:00 – 16:00</span></div><div class="event-where">Hollin lock, Dyke Road</div><div class="event-body"><p>${mark('The new gates are in and the keeper is keen to show them. Children may turn the wheel; adults may hold the coats.')}</p><p>${mark('There will be soup. Bring a bowl. If it rains, the soup will be in the boat shed and the wheel will be turned by whoever has boots.')}</p></div><div class="event-buttons"><a>Add to calendar</a><a>Buy tickets</a></div></div><div class="upcoming-events"><h3>Upcoming events</h3><ul><li><a>Eel supper</a> 1 June</li></ul></div></body></html>`,
  },
]
