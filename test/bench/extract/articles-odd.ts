/** Article fixtures: interviews, transcripts, papers, print views, recipes, bylines in odd places. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import { BEES, BRIDGE, CHESS, PUMP, SALT, VOTE } from './stories.ts'

const interview: ArticlePage = {
  name: 'interview-bold-questions',
  title: '“A mast is a tree that agreed to travel”',
  author: 'Judith Amsel',
  date: '2020-02-09',
  html: `<html lang="en"><head><title>“A mast is a tree that agreed to travel” - Interview - Harbour Weekly</title><meta name="DC.date.issued" content="2020-02-09"></head><body><div id="nav"><a>Harbour Weekly</a><a>Culture</a></div><div id="story"><div class="roofline">Interview</div><h1>“A mast is a tree that agreed to travel”</h1><p class="teaser">${mark('The mast maker Enno Tjarks on trees, patience and the smell of resin.')}</p><p class="interviewer">Interview: Judith Amsel</p>
<p><b>${mark('Mr Tjarks, how long does it take to make a mast?')}</b></p><p>${mark('Ninety years and six weeks. The tree does the ninety years.')}</p><p><b>${mark('How do you find the right tree?')}</b></p><p>${mark('I knock. A good trunk answers the whole way up, a bad one answers only where you knock. My father could hear the difference from the path; I have to put my ear on the bark, and the foresters laugh.')}</p><p><b>${mark('And who still orders wooden masts?')}</b></p><p>${mark('People with old boats and people with old hearts. Two museums. A man from Texas who put it in his garden, upright, with a flag. I asked him whether he wanted it varnished and he asked me what varnish was.')}</p><p><b>${mark('Would you do it again?')}</b></p><p>${mark('Ask me in ninety years.')}</p></div><div id="box"><b>Enno Tjarks</b><br>Born 1958, third generation of mast makers. Lives in Emden.</div></body></html>`,
}

const paper: ArticlePage = {
  name: 'paper-abstract-page',
  title: 'Queue feedback in continuous integration: a field study',
  author: 'Anika Rao, Jo Sato, Hamid Rostami',
  date: '2024-01-15',
  html: `<html lang="en"><head><title>Queue feedback in continuous integration: a field study | Journal of Build Research</title><meta name="citation_title" content="Queue feedback in continuous integration: a field study"><meta name="citation_author" content="Rao, Anika"><meta name="citation_author" content="Sato, Jo"><meta name="citation_author" content="Rostami, Hamid"><meta name="citation_publication_date" content="2024/01/15"><meta name="citation_journal_title" content="Journal of Build Research"><meta name="dc.title" content="Queue feedback in continuous integration: a field study"></head><body><header>Journal of Build Research<nav><a>Issues</a><a>Submit</a></nav></header><main><h1>Queue feedback in continuous integration: a field study</h1><ul class="authors"><li>Anika Rao<sup>1</sup></li><li>Jo Sato<sup>2</sup></li><li>Hamid Rostami<sup>1,2</sup></li></ul><div class="dates">Received: 3 March 2023 / Accepted: 1 November 2023 / Published: 15 January 2024</div><section><h2>${mark('Abstract')}</h2><p>${mark('We observe eleven teams over two years and find that the arrival rate of builds rises as their duration falls. A model with a single feedback parameter explains four fifths of the variance in waiting time. We discuss what this means for capacity planning, and argue that the waiting time and not the duration should be shown to developers.')}</p></section><section><h2>${mark('1 Introduction')}</h2><p>${mark('That faster roads attract more traffic has been known for ninety years. Whether faster builds attract more commits has been asked less often, though many engineers would answer without hesitation.')}</p><p>${mark('We answer with data. The teams worked on four products, in three languages, and shared one queue.')}</p></section></main><footer>ISSN 0000-0000. The publisher remains neutral with regard to jurisdictional claims.</footer></body></html>`,
}

const printView: ArticlePage = {
  name: 'print-view',
  title: VOTE.title,
  author: 'Daniel Ferris',
  date: '2024-06-26',
  url: 'https://ledger.example/print/2024/06/26/water-bill',
  html: `<html><head><title>Print: Senate passes water bill after all-night session</title><meta name="robots" content="noindex"></head><body onload="window.print()"><p><a href="javascript:print()">Print</a> <a href="#">Close window</a></p><h2>${VOTE.title}</h2><p><b>Daniel Ferris</b></p>${paragraphs(VOTE)}<p>URL: https://ledger.example/2024/06/26/water-bill</p><p>© Columbia Ledger</p></body></html>`,
}

const recipeBlog: ArticlePage = {
  name: 'recipe-blog-long-intro',
  title: "Plum cake like my grandmother's",
  author: 'Bea Larkin',
  date: '2022-09-10',
  html: `<html lang="en"><head><title>Plum cake like my grandmother's - Bea Bakes</title>${jsonLd({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Article',
        headline: 'Plum cake like my grandmother&#039;s',
        datePublished: '2022-09-10T05:00:00+00:00',
        author: { name: 'Bea Larkin', '@id': '#p' },
      },
      {
        '@type': 'Recipe',
        name: 'Plum cake',
        recipeIngredient: ['250 g flour'],
        author: { '@type': 'Person', name: 'Bea Larkin' },
      },
    ],
  })}</head><body><div class="site-container"><header class="site-header"><a>Bea Bakes</a><nav><a>Recipes</a><a>About</a></nav></header><main class="content"><article class="post"><header class="entry-header"><h1 class="entry-title">Plum cake like my grandmother's</h1><p class="entry-meta">September 10, 2022 by Bea Larkin <a>Jump to Recipe</a></p></header><div class="entry-content"><p>${mark('My grandmother baked it in a tin that had been a roof tile, or so she said, and when I asked for the recipe she told me to look at the plums.')}</p><p>${mark('So this is not her recipe. It is what I think the plums told her.')}</p><h2>${mark('Which plums to use')}</h2><p>${mark('Small ones, late ones, with a stone that comes off by itself. If you have to fight for the stone, wait a week.')}</p><div class="wprm-recipe-container"><h2 class="wprm-recipe-name">${mark('Plum cake')}</h2><div class="wprm-recipe-time">${mark('Prep time: 20 minutes')}</div><h3>${mark('Ingredients')}</h3><ul><li>${mark('250 g flour')}</li><li>${mark('120 g butter, cold')}</li><li>${mark('1 kg plums, halved')}</li></ul><h3>${mark('Instructions')}</h3><ol><li>${mark('Rub the butter into the flour until it looks like wet sand.')}</li><li>${mark('Press it into a tin, cover it with plums, and bake it for 45 minutes at 190 degrees.')}</li></ol></div></div></article><div id="comments"><h3>Comments</h3><p>Made this twice, my family loved it, five stars! I used apricots instead of plums and oil instead of butter.</p></div></main><aside class="sidebar"><h4>Hi, I'm Bea!</h4><p>I bake in a kitchen the size of a cupboard.</p></aside></div></body></html>`,
}

const bylineOddPlace: ArticlePage = {
  name: 'byline-at-the-end',
  title: BEES.title,
  author: 'Conor Blake',
  date: '2023-07-05',
  html: `<html lang="en"><head><title>City beekeepers told to move hives away from tram lines</title></head><body><div class="header"><img alt="Evening Star"></div><div class="section-front"><span>City</span></div><div class="story"><h1>${BEES.title}</h1><div class="subhead">Office counted swarms for two seasons</div><div class="body">${paragraphs(BEES)}<p class="tagline">Conor Blake is a staff writer at the Evening Star. He can be reached at cblake@star.example.</p><p class="pub">First published on July 5, 2023 / 6:12 PM</p></div></div><div class="promo"><p>Download our app and never miss a story from your neighbourhood again.</p></div></body></html>`,
}

const capsByline: ArticlePage = {
  name: 'byline-caps-with-role',
  title: BRIDGE.title,
  author: 'Ines Carver',
  date: '2024-04-19',
  html: `<html lang="en"><head><title>${BRIDGE.title} | The Star</title><meta name="author" content="The Star"><meta property="article:author" content="The Star"></head><body><header>The Star</header><main><h1>${BRIDGE.title}</h1><p class="c-byline">BY <span>INES CARVER</span>, TRANSPORT CORRESPONDENT</p><p class="c-date">APR. 19, 2024 6 AM PT</p>${paragraphs(BRIDGE)}</main></body></html>`,
}

const transcript: ArticlePage = {
  name: 'podcast-transcript',
  title: 'Episode 31: The man who counts swifts',
  author: null,
  date: '2022-06-18',
  html: `<html lang="en"><head><title>Episode 31: The man who counts swifts — Field Tape</title><meta property="og:type" content="music.song"></head><body><header><a>Field Tape</a><a>Episodes</a><a>Support us</a></header><main><h1>Episode 31: The man who counts swifts</h1><p><time datetime="2022-06-18">June 18, 2022</time> · 24 min</p><audio controls src="e31.mp3"></audio><p>${mark('In the arches of a closed railway bridge live four hundred swifts. One man knows them all, or nearly.')}</p><h2>${mark('Transcript')}</h2><p><strong>${mark('HOST:')}</strong> ${mark('It is half past four, and it is cold, and we are lying on our backs.')}</p><p><strong>${mark('ARNE:')}</strong> ${mark('You have to. If you stand you count with your neck, and the neck gives up at two hundred.')}</p><p><strong>${mark('HOST:')}</strong> ${mark('How do you know that you do not count the same one twice?')}</p><p><strong>${mark('ARNE:')}</strong> ${mark('I do count the same one twice. I also miss one. After thirty years it comes out even.')}</p></main><section class="subscribe"><h3>Subscribe</h3><a>Apple</a><a>Spotify</a><a>RSS</a></section></body></html>`,
}

const xhtml2008: ArticlePage = {
  name: 'joomla-2008',
  title: PUMP.title,
  author: null,
  date: '2008-10-12',
  html: `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en-gb" lang="en-gb"><head><title>Replacing the circulation pump of a small heating system</title><meta name="generator" content="Joomla! 1.5" /></head><body id="page_bg"><div id="leftcolumn"><div class="moduletable"><h3>Main Menu</h3><ul class="menu"><li><a>Home</a></li><li><a>Links</a></li></ul></div><div class="moduletable"><h3>Login Form</h3><form><input type="text" /><input type="submit" value="Login" /><a>Forgot your password?</a></form></div></div><div id="maincolumn"><table class="contentpaneopen"><tr><td class="contentheading">${PUMP.title}</td><td class="buttonheading"><a><img alt="PDF" /></a><a><img alt="Print" /></a></td></tr></table><table class="contentpaneopen"><tr><td><span class="small">Written by Administrator</span></td></tr><tr><td class="createdate">Sunday, 12 October 2008 11:42</td></tr><tr><td>${PUMP.paragraphs.map((text) => `<p>${mark(text)}</p>`).join('')}</td></tr><tr><td class="modifydate">Last Updated ( Monday, 13 October 2008 08:01 )</td></tr></table></div><div id="footer">Powered by Joomla!. Valid XHTML and CSS.</div></body></html>`,
}

const urlDate: ArticlePage = {
  name: 'date-only-in-url',
  title: CHESS.title,
  author: null,
  date: '2024-02-11',
  url: 'https://club.example/news/2024/02/11/draw-against-champion/',
  html: `<html lang="en"><head><title>${CHESS.title} &#8226; Brno Chess Club</title></head><body><div class="top">Brno Chess Club, founded 1922</div><div class="entry"><h1>${CHESS.title}</h1>${paragraphs(CHESS)}</div><div class="foot">Next club night: every Thursday at 6 pm. © 2009–2025 Brno Chess Club</div></body></html>`,
}

const jsonStrings: ArticlePage = {
  name: 'essay-single-div-no-metadata',
  title: SALT.title,
  author: null,
  date: null,
  html: `<title>${SALT.title}</title><h1>${SALT.title}</h1><div>${SALT.paragraphs.map((text) => `<div>${mark(text)}</div>`).join('\n')}</div>`,
}

export const ODD_ARTICLES: ArticlePage[] = [
  interview,
  paper,
  printView,
  recipeBlog,
  bylineOddPlace,
  capsByline,
  transcript,
  xhtml2008,
  urlDate,
  jsonStrings,
]
