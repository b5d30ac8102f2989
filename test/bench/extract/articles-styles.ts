/** Article fixtures in the markup habits of large sites and their publishing systems. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import {
  BEES,
  BRIDGE,
  CHESS,
  COMPILER,
  FRENCH,
  GERMAN,
  JAPANESE,
  PORTUGUESE,
  PUMP,
  RELEASE,
  RUSSIAN,
  SALT,
  SPANISH,
  type Story,
  VOTE,
} from './stories.ts'

const each = (story: Story, wrap: (marked: string, at: number) => string): string =>
  story.paragraphs.map((text, at) => wrap(mark(text), at)).join('\n')

const dataTestId: ArticlePage = {
  name: 'style-data-testid-paragraphs',
  title: VOTE.title,
  author: 'Daniel Ferris, Amara Diallo',
  date: '2024-06-26',
  html: `<html lang="en"><head><title>Senate passes water bill after all-night session | Agency</title><meta name="analyticsAttributes.articleDate" content="2024-06-26T09:41:00Z"><meta name="article:author" content="Daniel Ferris,Amara Diallo"></head><body><div id="fusion-app"><div class="header__x1"><a data-testid="Link">World</a><a data-testid="Link">Markets</a></div><main><article data-testid="Article"><div class="article__header__2x"><span>Government</span><h1 data-testid="Heading">${VOTE.title}</h1><div class="author__row"><span>By </span><a rel="author" href="/authors/daniel-ferris/">Daniel Ferris</a><span> and </span><a rel="author" href="/authors/amara-diallo/">Amara Diallo</a></div><time datetime="2024-06-26T09:41:00Z"><span>June 26, 2024</span><span>9:41 AM UTC</span><span>Updated 5 months ago</span></time></div><div class="article-body__content">${each(VOTE, (text, at) => `<div class="article-body__paragraph" data-testid="paragraph-${at}">${text}</div>`)}<div class="article-body__signoff"><p data-testid="Body">Reporting by Daniel Ferris and Amara Diallo; Editing by Ingrid Moe</p><p>Our Standards: The Agency Trust Principles.</p></div><button>Purchase Licensing Rights</button></div><div class="read-next"><h2>Read Next</h2><div><a href="/1">Utilities</a><a href="/2">Utility shares recover after vote on water law</a></div></div></article></main><footer><p>All quotes delayed a minimum of 15 minutes. See here for a complete list of exchanges and delays.</p></footer></div></body></html>`,
}

const zoneParagraphs: ArticlePage = {
  name: 'style-zone-div-paragraphs',
  title: BEES.title,
  author: 'Jana Horáková',
  date: '2023-07-04',
  html: `<html lang="en"><head><title>City beekeepers told to move hives away from tram lines - NewsNet</title><meta itemprop="datePublished" content="2023-07-04T12:20:00Z"><meta itemprop="author" content="Jana Horáková, NewsNet"></head><body class="pg-section"><div class="nav--plain-header"><a>NewsNet</a><a>Live TV</a></div><article class="pg-rail-tall pg-rail"><h1 class="pg-headline">${BEES.title}</h1><div class="metadata"><p class="metadata__byline"><span class="metadata__byline__author">By <a>Jana Horáková</a>, NewsNet</span></p><p class="update-time">Updated 1220 GMT (2020 HKT) July 4, 2023</p></div><div class="l-container"><section class="zn zn-body-text"><div class="zn-body__paragraph speakable"><cite class="el-editorial-source">(NewsNet)</cite>${mark(BEES.paragraphs[0]!)}</div>${BEES.paragraphs
    .slice(1)
    .map(
      (text, at) =>
        `<div class="zn-body__paragraph">${mark(text)}</div>${at === 1 ? '<div class="el__embedded el__embedded--standard"><div class="el__storyelement__title">Swarm stops tram for two hours</div><div class="media__caption el__storyelement__header">A swarm on a signal post in May</div></div>' : ''}`,
    )
    .join(
      '',
    )}<p class="zn-body__footer">NewsNet's Bo Nygaard contributed to this report.</p></section></div></article><div class="ob-widget"><h3>Paid Content</h3><div>Twelve kitchen tools you did not know you needed this spring</div></div></body></html>`,
}

const caas: ArticlePage = {
  name: 'style-portal-syndicated',
  title: CHESS.title,
  author: 'Petr Novák',
  date: '2024-02-11',
  html: `<html lang="en-US"><head><title>Fifteen-year-old holds champion to a draw in simultaneous exhibition</title>${jsonLd({ '@context': 'http://schema.org', '@type': 'NewsArticle', headline: CHESS.title, datePublished: '2024-02-11T19:30:00.000Z', dateModified: '2024-02-11T21:00:00.000Z', author: { '@type': 'Person', name: 'Petr Novák', url: '', jobtitle: '' }, creator: { '@type': 'Person', name: 'Petr Novák' }, provider: { '@type': 'Organization', name: 'Moravian Post' }, publisher: { '@type': 'Organization', name: 'Portal Sports' } })}</head><body><div id="ybar"><form><input placeholder="Search the web"></form><a>Mail</a><a>Sign in</a></div><div class="caas-container"><article role="article"><header class="caas-header"><a class="link caas-attr-provider">Moravian Post</a><header class="caas-title-wrapper"><h1>${CHESS.title}</h1></header><div class="caas-attr"><div class="caas-attr-item-author"><span class="caas-author-byline-collapse">Petr Novák</span></div><div class="caas-attr-time-style"><time datetime="2024-02-11T19:30:00.000Z">Sun, Feb 11, 2024 at 7:30 PM</time><span> · 2 min read</span></div></div></header><div class="caas-body-wrapper"><div class="caas-body">${each(CHESS, (text) => `<p>${text}</p>`)}<ul class="caas-list caas-list-bullet"><li>Recommended Reading: <a href="/b">The bench where chess lives</a></li></ul><p><a href="/app">Download the Portal Sports app for scores, news and more</a></p></div></div></article></div><div class="stream"><ul><li class="stream-item"><h3>Goalkeeper scores from own half</h3><p>The ball bounced once, and then there was silence in the stadium.</p></li><li class="stream-item"><h3>Marathon moved by one day</h3><p>The organisers cite a bridge, a choir and the date of a wedding.</p></li></ul></div></body></html>`,
}

const dcr: ArticlePage = {
  name: 'style-generated-classes',
  title: SALT.title,
  author: 'Klara Lund',
  date: '2022-08-21',
  html: `<html lang="en"><head><title>What the salt farmers know about the weather | Salt | The Observer of Things</title><meta property="article:author" content="https://www.things.example/profile/klara-lund"><meta property="article:published_time" content="2022-08-21T06:00:14.000Z"><meta property="article:tag" content="Salt"><meta property="og:title" content="What the salt farmers know about the weather"></head><body><div class="dcr-1abc"><aside><div class="dcr-ad" id="dfp-ad--top">Advertisement</div></aside></div><main data-layout="FeatureLayout"><div class="dcr-1nnn"><div class="dcr-1q"><h1 class="dcr-y70">${SALT.title}</h1></div><div data-gu-name="standfirst" class="dcr-1yi"><p>${mark('Eleven families farm the bay, and the air has forty names.')}</p></div><div class="dcr-13i"><address aria-label="Contributor info"><div class="dcr-172h">Words by <a rel="author" href="/profile/klara-lund">Klara Lund</a>; photographs by Matti Aro</div></address><div class="dcr-u0h">Sun 21 Aug 2022 07.00 BST</div></div><div id="maincontent" class="dcr-rj"><div class="article-body-commercial-selector">${each(SALT, (text, at) => (at === 0 ? `<p class="dcr-3j"><span class="dcr-drop">${text.slice(0, 2)}⟧</span>⟦${text.slice(2)}</p>` : `<p class="dcr-3j">${text}</p>${at === 3 ? '<gu-island><a data-ignore="global-link-styling" href="/email/long-read">Sign up to The Long Read: the best of our journalism, twice a week</a><div>Privacy Notice: Newsletters may contain info about charities, online ads, and content funded by outside parties.</div></gu-island>' : ''}`))}</div></div><div class="dcr-subm"><div>Explore more on these topics</div><ul><li><a>Salt</a></li><li><a>features</a></li></ul><a>Reuse this content</a></div></div></main><section data-component="most-popular"><h2>Most viewed</h2><ol><li><a>A crossword that nobody finished</a></li><li><a>The last typist of the harbour office</a></li></ol></section></body></html>`,
}

const verticalVideo: ArticlePage = {
  name: 'style-video-lead-ads-between',
  title: BRIDGE.title,
  author: 'Tom Ashdown',
  date: '2024-04-18',
  html: `<html lang="en"><head><title>${BRIDGE.title} | Valley 7</title><meta name="dc.date" content="2024-04-18T16:04:12-0500"></head><body><div class="page"><div class="page-content"><main class="main-content"><article class="article-wrap has-video"><header class="article-header"><div class="meta"><span class="eyebrow"><a>Transport</a></span></div><h1 class="headline">${BRIDGE.title}</h1><h2 class="sub-headline speakable">The deck is done, the lamps are up, the handrail is not</h2><div class="author-byline"><span class="author-headshot"><img></span>By <span><a href="/person/a/tom-ashdown">Tom Ashdown</a></span> <span class="article-source"><a>Valley 7</a></span></div><div class="article-date">Published <time>April 18, 2024 4:04pm EDT</time></div></header><div class="article-content"><div class="video-container"><div class="info"><div class="caption"><h4 class="title">Walk across the bridge with us</h4><p>Our camera was the first to cross the new deck since 2013.</p></div></div></div><div class="article-body">${each(BRIDGE, (text, at) => `<p class="speakable">${text}</p>${at === 1 ? '<p><a href="/x"><strong>TORTOISE FOUND AFTER NINE YEARS IN THE SAME GARDEN</strong></a></p>' : ''}${at === 3 ? '<div class="ad-container mobile ad-h-250"></div><p><strong><u>CLICK HERE TO GET THE VALLEY 7 APP</u></strong></p>' : ''}`)}<p><i>The Associated Agency contributed to this report.</i></p><p><i>Tom Ashdown is a reporter with Valley 7. Story tips can be sent to tom.ashdown@valley7.example.</i></p></div></div></article></main><aside><h3>Popular</h3><div>Pool opens two weeks late</div></aside></div></div></body></html>`,
}

const spiegel: ArticlePage = {
  name: 'style-de-magazine-rich-text',
  title: 'Im Moor von Lahde werden die Torfbahnen abgebaut',
  author: 'Katrin Vossbeck',
  date: '2023-05-31',
  html: `<html lang="de"><head><title>Torfabbau: Im Moor von Lahde werden die Torfbahnen abgebaut - MAGAZIN</title><meta name="date" content="2023-05-31T17:05:00+02:00"><meta name="last-modified" content="2023-06-01T09:00:00+02:00"><meta name="author" content="Katrin Vossbeck, MAGAZIN"></head><body><main><article><header data-area="intro"><h2><span>Naturschutz</span> <span>Im Moor von Lahde werden die Torfbahnen abgebaut</span></h2><div class="RichText leading-loose">${mark('Vierzig Kilometer Gleis verschwinden aus dem Boden.')}</div><div>Von <a href="/impressum/autor-1">Katrin Vossbeck</a></div><div><time datetime="2023-05-31 17:05:00">31.05.2023, 17.05 Uhr</time></div><div>Artikel zum Hören • 4 Min</div></header><div data-area="body"><div class="RichText">${paragraphs(GERMAN, 0, 3)}</div><section data-area="related_articles"><h3>Mehr zum Thema</h3><article><span>Klimaschutz: </span><span>Wie viel Wasser ein Moor braucht</span> Von Jonas Weber</article></section><div class="RichText">${paragraphs(GERMAN, 3)}</div><div>kvo</div></div></article><div data-area="mehr"><div>Diskutieren Sie mit</div><button>Feedback</button></div></main></body></html>`,
}

const lemonde: ArticlePage = {
  name: 'style-fr-inline-services',
  title: FRENCH.title,
  author: 'Hélène Caradec',
  date: '2022-10-04',
  html: `<html lang="fr"><head><title>« À Sainte-Orne, la dernière librairie devient une coopérative »</title><meta property="og:title" content="À Sainte-Orne, la dernière librairie devient une coopérative"><meta property="og:article:published_time" content="2022-10-04T04:30:08+00:00"><meta property="og:article:author" content="Hélène Caradec"></head><body><header><nav><a>Actualités</a><a>Économie</a><a>Vidéos</a></nav></header><main><section class="zone"><header class="article__header"><ul class="breadcrumb"><li>CULTURE</li><li>Livres</li></ul><h1>${FRENCH.title}</h1><p class="article__desc">${mark('Deux cent quatorze habitants et une camionnette.')}</p><section class="meta__authors"><span class="meta__author">Par Hélène Caradec</span></section><section class="meta__date">Publié le 04 octobre 2022 à 06h30, modifié le 04 octobre 2022 à 08h02 <span class="meta__readtime">Temps de Lecture 2 min.</span></section></header><section class="article__content old__article-content-single"><figure class="article__media"><figcaption class="article__legend">La librairie, le 30 septembre. <span class="article__credit">MARC TISON</span></figcaption></figure>${FRENCH.paragraphs.map((text, at) => `<p class="article__paragraph">${mark(text)}</p>${at === 1 ? '<section class="inread inread--NL"><h3>La lettre des livres</h3><p>Chaque vendredi, le meilleur des livres par nos critiques</p><a>S’inscrire</a></section>' : ''}`).join('')}<section class="article__reactions"><p>Réutiliser ce contenu</p></section></section></section><section class="slider"><h4>La sélection</h4><p>Test : les meilleurs grille-pain</p></section></main></body></html>`,
}

const elpais: ArticlePage = {
  name: 'style-es-dtr-classes',
  title: SPANISH.title,
  author: 'Marcos Iriarte',
  date: '2021-09-14',
  html: `<html lang="es-ES"><head><title>Un pueblo sin cobertura instala su propia red de telefonía | España | EL LLANO</title><meta property="article:published_time" content="2021-09-13T22:00:00.000Z"><meta name="author" content="Marcos Iriarte"><meta name="DC.date.issued" content="2021-09-14T00:00:00+02:00"></head><body><article id="main-content"><header class="a_e"><div class="a_e_txt"><div class="a_k"><a>Despoblación</a></div><h1 class="a_t">${SPANISH.title}</h1><h2 class="a_st">${mark('Cuatro antenas y una rifa bastaron')}</h2></div></header><div class="a_md"><div class="a_md_txt"><div class="a_md_a"><a href="/autor/marcos-iriarte/" title="Ver todas las noticias de Marcos Iriarte">Marcos Iriarte</a></div><div class="a_md_f"><a id="article_date_p" data-date="2021-09-13T22:00:00.000Z"><span>14 sept 2021</span> - <span>00:00</span><abbr title="Central European Summer Time">CEST</abbr></a></div></div></div><div class="a_c clearfix" data-dtm-region="articulo_cuerpo">${SPANISH.paragraphs.map((text, at) => `<p class="">${mark(text)}</p>${at === 2 ? '<aside class="a_b"><header><h2>Más información</h2></header><article><h2><a>El tren que para a petición</a></h2></article></aside>' : ''}`).join('')}<p>Suscríbete para seguir leyendo</p><p>Lee sin límites</p></div><section class="w-cta"><h3>Sobre la firma</h3><div class="a_auts"><h4>Marcos Iriarte</h4><p>Redactor de la sección de España. Es licenciado en Periodismo y ha cubierto incendios, elecciones y fiestas.</p></div></section><section><h3>Archivado En</h3><ul><li>Telefonía</li><li>España</li></ul></section></article></body></html>`,
}

const lenta: ArticlePage = {
  name: 'style-ru-topic-body',
  title: RUSSIAN.title,
  author: 'Марина Совина',
  date: '2022-08-15',
  html: `<html lang="ru"><head><title>В Карелии восстановили деревянный маяк по старым чертежам: Общество: Россия: Лента</title><meta property="og:title" content="В Карелии восстановили деревянный маяк по старым чертежам"></head><body><div class="header"><a>Главное</a><a>Россия</a></div><div class="topic-page"><div class="topic-page__header"><a class="topic-header__item topic-header__time" href="/2022/08/15/">10:37, 15 августа 2022</a><a class="topic-header__item topic-header__rubric">Россия</a></div><h1 class="topic-body__titles"><span class="topic-body__title">${RUSSIAN.title}</span></h1><div class="topic-authors"><a class="topic-authors__author"><span class="topic-authors__name">Марина Совина</span><span class="topic-authors__job"> (редактор)</span></a></div><div class="topic-body__content">${each(RUSSIAN, (text, at) => `<p class="topic-body__content-text">${text}</p>${at === 2 ? '<div class="box-inline-topic"><div>Материалы по теме:</div><h3>Остров, который держится на сваях</h3><span>12 июля 2022</span></div>' : ''}`)}</div><div class="topic-page__footer"><div class="comments-button">Обсудить</div><div>Последние новости</div><ul><li>Паром изменил расписание</li><li>Мост закрыли на ремонт</li></ul></div></div></body></html>`,
}

const globo: ArticlePage = {
  name: 'style-pt-summary-list',
  title: PORTUGUESE.title,
  author: 'Rafaela Nunes',
  date: '2023-09-07',
  html: `<html lang="pt-BR"><head><title>Pescadores trocam redes por câmeras para contar golfinhos - 07/09/2023 - Ambiente - Diário</title><meta property="article:published_time" content="2023-09-07 05:02:00"></head><body><article class="c-news"><h1 class="c-content-head__title">${PORTUGUESE.title}</h1><h2 class="c-content-head__subtitle">${mark('Coronel, o mais velho, já aparecia em 1996')}</h2><div class="c-more-options"><time class="c-more-options__published-date" datetime="2023-09-07 05:02:00">7.set.2023 às 5h02</time><time class="c-more-options__modified-date">Atualizado: 8.set.2023 às 9h15</time></div><div class="c-signature"><strong class="c-signature__author"><a>Rafaela Nunes</a></strong><div class="c-signature__location">Vila do Cais</div></div><div class="c-news__body">${each(PORTUGUESE, (text) => `<p>${text}</p>`)}<div class="c-newsletter">Receba no seu email as notícias de Ambiente</div></div><div class="c-topics"><span>sua assinatura pode valer ainda mais</span><p>Você já conhece as vantagens de ser assinante? Além de ter acesso a reportagens e colunas, você conta com newsletters exclusivas.</p></div></article></body></html>`,
}

const asahi: ArticlePage = {
  name: 'style-ja-portal-no-p',
  title: JAPANESE.title,
  author: null,
  date: '2023-11-08',
  html: `<html lang="ja"><head><title>廃校の体育館で醤油づくりを再開、町の若者ら十二人（北山新聞） - ニュースポータル</title></head><body><header><a>ニュースポータル</a><a>ログイン</a></header><main><article><header><h1>${JAPANESE.title}</h1><p><time>11/8(水) 10:00</time>配信</p></header><div><span>2</span>コメント2件</div><p class="sc-x yjSlinkDirectlink highLightSearchTarget">${JAPANESE.paragraphs.map((text) => `　${mark(text)}`).join('<br><br>')}</p><footer><a>北山新聞</a><time>最終更新：2023/11/8 10:05</time></footer></article><section><h2>関連記事</h2><ul><li><a>木桶職人が語る八十年</a></li></ul></section><section><h2>あなたにおすすめの記事</h2><ul><li>地震速報</li></ul></section></main></body></html>`,
}

const govuk: ArticlePage = {
  name: 'style-government-publication',
  title: 'Apply for a place in the hive relocation scheme',
  author: null,
  date: '2023-07-10',
  html: `<html lang="en" class="govuk-template"><head><title>Apply for a place in the hive relocation scheme - CITY.GOV</title><meta name="govuk:first-published-at" content="2023-07-10T09:30:00+01:00"><meta name="govuk:updated-at" content="2023-08-01T10:00:00+01:00"></head><body><a class="govuk-skip-link">Skip to main content</a><div class="gem-c-cookie-banner"><h2>Cookies on CITY.GOV</h2><p>We use some essential cookies to make this website work. We’d like to set additional cookies to understand how you use CITY.GOV.</p></div><main id="content" class="detailed-guide"><div class="gem-c-title"><span>Guidance</span><h1 class="gem-c-title__text">Apply for a place in the hive relocation scheme</h1></div><p class="gem-c-lead-paragraph">${mark('How to apply for a place on a public roof, and what you need to bring.')}</p><div class="gem-c-metadata"><dl><dt>From:</dt><dd><a>Environment Office</a></dd><dt>Published</dt><dd>10 July 2023</dd><dt>Last updated</dt><dd>1 August 2023 — <a>See all updates</a></dd></dl></div><div class="gem-c-contents-list"><h2>Contents</h2><ol><li><a>Who can apply</a></li><li><a>What you need</a></li></ol></div><div class="gem-c-govspeak govuk-govspeak"><h2>${mark('Who can apply')}</h2><p>${mark('You can apply if your hives are registered and stand within fifteen metres of a tram line.')}</p><h2>${mark('What you need')}</h2><ul><li>${mark('your registration number')}</li><li>${mark('a photograph of each hive')}</li><li>${mark('proof that your bees were inspected this year')}</li></ul><p>${mark('Send the form by 31 July. Places are given in the order in which forms arrive.')}</p></div><div class="gem-c-published-dates">Published 10 July 2023<br>Last updated 1 August 2023 <a>+ show all updates</a></div></main><div class="gem-c-feedback"><h2>Is this page useful?</h2><button>Yes</button><button>No</button></div><footer class="govuk-footer"><h2>Topics</h2><ul><li>Births, deaths, marriages and care</li></ul></footer></body></html>`,
}

const readme: ArticlePage = {
  name: 'style-repository-readme',
  title: 'millrace',
  author: null,
  date: null,
  html: `<html lang="en"><head><title>GitForge - anikarao/millrace: A small queue that remembers why a job failed</title><meta property="og:title" content="GitForge - anikarao/millrace: A small queue that remembers why a job failed"></head><body><div class="Header"><a>Sign in</a><a>Pricing</a></div><div class="repository-content"><table><tbody><tr><td><a>src</a></td><td>Fix a race in the scheduler</td><td>3 days ago</td></tr><tr><td><a>README.md</a></td><td>Mention the dead set</td><td>last month</td></tr></tbody></table><div id="readme"><article class="markdown-body entry-content" itemprop="text"><h1>millrace</h1><p>${mark('A small queue that remembers why a job failed. It keeps its jobs in one table of the database that you already have.')}</p><h2>${mark('Install')}</h2><pre>${mark('npm install millrace')}</pre><h2>${mark('Use')}</h2><p>${mark('Create a queue, give it a handler, and push jobs to it from anywhere in your program.')}</p><pre><code>${mark("const mail = queue('mail', send)\nawait mail.push({ to: 'ann@example.org' })")}</code></pre><p>${mark('Jobs that fail are retried five times and then kept for fourteen days, with every error they met on the way.')}</p></article></div></div><div class="Layout-sidebar"><h2>About</h2><p>A small queue that remembers why a job failed</p><p>1.2k stars</p><p>14 watching</p></div><footer>© 2024 GitForge, Inc.</footer></body></html>`,
}

const oldForum: ArticlePage = {
  name: 'style-forum-thread-table',
  title: 'Pump hums after replacement',
  author: 'cellarman',
  date: '2009-01-14',
  html: `<html><head><title>View topic - Pump hums after replacement :: Heating Forum</title></head><body><table class="forumline"><tr><td><a class="maintitle" href="viewtopic.php?t=91">Pump hums after replacement</a></td></tr></table><table class="forumline"><tr><th>Author</th><th>Message</th></tr><tr><td><span class="name"><b>cellarman</b></span><br><span class="postdetails">Joined: 02 Nov 2007<br>Posts: 14</span></td><td><span class="postdetails">Posted: Wed Jan 14, 2009 8:12 pm    Post subject: Pump hums after replacement</span><hr><span class="postbody">${mark('I put in the new pump on Saturday and it hums at night, a deep note like a ship far away. The radiators are warm and the pressure is fine.')}<br><br>${mark('Is that air, or did I do something wrong?')}</span></td></tr><tr><td><span class="name"><b>Old Joiner</b></span><br><span class="postdetails">Joined: 11 May 2004<br>Posts: 2210</span></td><td><span class="postdetails">Posted: Wed Jan 14, 2009 9:40 pm</span><hr><span class="postbody">${mark('Set it one step lower. Most of them are delivered on the highest, and hardly any house needs it.')}</span></td></tr></table><span class="copyright">Powered by phpBB © 2001, 2005 phpBB Group</span></body></html>`,
}

const wireFooter: ArticlePage = {
  name: 'style-company-newsroom',
  title: RELEASE.title,
  author: null,
  date: '2024-09-16',
  html: `<html lang="en"><head><title>Norlake Instruments Opens Calibration Laboratory in Tallinn :: Norlake Instruments AB (NORL)</title></head><body class="module-page"><div class="module_nav"><a>Investors</a><a>Governance</a></div><div class="module module-details"><div class="module_container"><h2 class="module_title">Press Release Details</h2><div class="module-news-details_date">September 16, 2024</div><h1 class="module-news-details_title">${RELEASE.title}</h1><div class="module_body"><p>${mark(`TALLINN, Estonia--(NEWSWIRE)-- ${RELEASE.paragraphs[0]}`)}</p>${paragraphs(RELEASE, 1)}<p><b>${mark('Contacts')}</b></p><p>${mark('Mari Tamm, press officer, press@norlake.example')}</p><p>${mark('Source: Norlake Instruments AB')}</p></div></div></div><div class="module_links"><a>View all news</a><a>RSS</a><a>Email alerts</a></div></body></html>`,
}

const scienceNews: ArticlePage = {
  name: 'style-science-news',
  title: 'Faster builds attract more commits, study of eleven teams finds',
  author: 'Lena Okafor',
  date: '2024-01-16',
  html: `<html lang="en"><head><title>Faster builds attract more commits, study of eleven teams finds</title><meta name="citation_author" content="by Lena Okafor"><meta property="og:site_name" content="Lab Wire"></head><body><article class="news-article"><div class="article-gallery"><figcaption>Waiting developers, as imagined by an illustrator. Credit: Lab Wire</figcaption></div><h1>Faster builds attract more commits, study of eleven teams finds</h1><div class="article__info"><div class="article-byline">by <a>Lena Okafor</a>, <a>University of Brenn</a></div><p class="text-uppercase">January 16, 2024</p></div><div class="article-main">${each(COMPILER, (text) => `<p>${text}</p>`)}<p class="article-main__more">More information: Anika Rao et al, Queue feedback in continuous integration, Journal of Build Research (2024). DOI: 10.0000/jbr.2024.17</p><div class="article-main__note">Provided by University of Brenn</div></div></article><div class="d-print-none"><strong>Explore further</strong><a>Why motorways fill up again</a></div><div class="feedback-form">Let us know if there is a problem with our content. Thank you for taking time to provide your feedback to the editors.</div></body></html>`,
}

const howto: ArticlePage = {
  name: 'style-howto-steps',
  title: 'How to Replace a Circulation Pump',
  author: 'Gerd Holm',
  date: '2020-03-08',
  html: `<html lang="en"><head><title>How to Replace a Circulation Pump: 5 Steps (with Pictures)</title></head><body><div id="header_outer">Explore this Article</div><div id="intro"><h1 id="section_0" class="title_lg"><a href="/replace">How to Replace a Circulation Pump</a></h1><div id="byline_info">Written by <a href="/g">Gerd Holm</a> | Last Updated: March 8, 2020 | References</div><div class="mf-section-0"><p>${mark(PUMP.paragraphs[0]!)}</p></div></div><div class="section steps"><h2><span class="mw-headline">Steps</span></h2><div class="section_text"><ol class="steps_list_2">${PUMP.paragraphs
    .slice(2)
    .map(
      (text, at) =>
        `<li><div class="step_num">${at + 1}</div><div class="step">${mark(text)}<sup class="reference">[${at + 1}]</sup></div></li>`,
    )
    .join(
      '',
    )}</ol></div></div><div class="section qa"><h2>Community Q&A</h2><div id="qa_submit">Ask a Question<textarea></textarea>200 characters left. Include your email address to get a message when this question is answered.</div></div><div class="section relatedwikihows"><h2>Related Articles</h2><a>Bleed a Radiator</a></div><div id="side_author"><h3>About This Article</h3><p>This article was written by Gerd Holm. Gerd has repaired heating systems for twenty years in cellars of every kind.</p></div></body></html>`,
}

const columnNoPs: ArticlePage = {
  name: 'style-column-text-nodes-and-divs',
  title: 'On waiting',
  author: 'Ruth Okonjo',
  date: '2020-10-30',
  html: `<html lang="en"><head><title>On waiting | Opinion | The Ledger</title><meta name="byl" content="By Ruth Okonjo"><meta name="pdate" content="20201030"><meta name="ptime" content="20201030093000"></head><body><div id="shell"><div class="rail"><a>Opinion</a></div><div class="story"><h1>On waiting</h1><div class="entry">${mark('My father waited for buses as if they were guests. He stood up straight, he had polished his shoes, and he never looked at the clock, which he considered rude.')}<br>${mark('I look at a screen that tells me that the bus is four minutes away. It has been four minutes away for nine minutes.')}<br>${mark('What has been taken from us is not time. It is the art of not knowing, and of standing up straight.')}<div class="inline-ad">ADVERTISEMENT</div>${mark('I would like to have it back. I have polished my shoes.')}</div><div class="comments-count">148 Comments</div></div></div></body></html>`,
}

const podcastShow: ArticlePage = {
  name: 'style-obituary-notice',
  title: 'Enno Tjarks, mast maker, 1958–2021',
  author: 'Judith Amsel',
  date: '2021-12-03',
  html: `<html lang="en"><head><title>Enno Tjarks, mast maker, 1958–2021 — Harbour Weekly</title><meta name="sailthru.author" content="Judith Amsel"><meta name="sailthru.date" content="2021-12-03 08:00:00"></head><body><nav>Harbour Weekly</nav><section class="obit"><h1>Enno Tjarks, mast maker, 1958–2021</h1><h4>He knocked on trees and listened</h4><p class="who"><em>Judith Amsel</em>, <em>3 December 2021</em></p><p>${mark('Enno Tjarks, who made wooden masts for forty-four years and said that the tree did most of the work, died on 28 November 2021 at his home in Emden. He was 63.')}</p><p>${mark('He was born on 2 April 1958 above the workshop, the third of his name to work in it. At fourteen he felled his first spruce, under the eyes of his father and of a forester who, he later said, did not stop laughing.')}</p><p>${mark('He made 212 masts. Two stand in museums and one in a garden in Texas, upright, with a flag.')}</p><p>${mark('He is survived by his wife, two daughters and a drying rack with eleven unfinished spars.')}</p></section><section><h3>More obituaries</h3><p><a>Hedda Kroll, who taught a town to swim</a></p><p><a>Brother Anselm, keeper of the bees</a></p></section></body></html>`,
}

const multiPageProduct: ArticlePage = {
  name: 'style-review-with-box',
  title: 'Kestrel 210 folding saw review: sharp, short, worth it',
  author: 'Bram de Wit',
  date: '2024-03-04',
  html: `<html lang="en"><head><title>Kestrel 210 review | Outdoors Weekly</title>${jsonLd([
    {
      '@context': 'https://schema.org',
      '@type': 'Review',
      headline: 'Kestrel 210 folding saw review: sharp, short, worth it',
      author: [{ '@type': 'Person', name: 'Bram de Wit' }],
      datePublished: '2024-03-04',
      itemReviewed: {
        '@type': 'Product',
        name: 'Kestrel 210',
        offers: { '@type': 'Offer', price: 49, priceCurrency: 'USD' },
      },
    },
    { '@type': 'BreadcrumbList', itemListElement: [] },
  ])}</head><body><article><h1>Kestrel 210 folding saw review: sharp, short, worth it</h1><div class="score-box"><span>8/10</span><h3>The Good</h3><ul><li>Sharp blade</li><li>Safe lock</li></ul><h3>The Bad</h3><ul><li>Short handle</li></ul><a class="btn">$49 at ToolBarn</a></div><div class="review-body"><p>${mark('The Kestrel is the saw that I did not put back into the drawer. After a storm, an ash and two days of work it has become the one in my pocket.')}</p><h2>${mark('Blade')}</h2><p>${mark('Eleven strokes for a branch as thick as an arm. It cuts on the pull, and the teeth come out of green wood clean.')}</p><h2>${mark('Handle')}</h2><p>${mark('Too short for large hands. With gloves I held it with three fingers and prayed with the others.')}</p><h2>${mark('Verdict')}</h2><p>${mark('Buy it if your hands are smaller than mine. Buy it anyway if you cut more than you prune.')}</p></div></article><div class="recirc-list"><h4>Best of Outdoors</h4><a>Boots that survived a year of rain</a></div></body></html>`,
}

export const STYLE_ARTICLES: ArticlePage[] = [
  dataTestId,
  zoneParagraphs,
  caas,
  dcr,
  verticalVideo,
  spiegel,
  lemonde,
  elpais,
  lenta,
  globo,
  asahi,
  govuk,
  readme,
  oldForum,
  wireFooter,
  scienceNews,
  howto,
  columnNoPs,
  podcastShow,
  multiPageProduct,
]
