/** Blogs, papers and old sites in markup that the code was not written with. */
import { type ArticlePage, jsonLd, mark, paragraphs } from './article-page.ts'
import {
  ARABIC,
  BEES,
  BRIDGE,
  CHESS,
  CHINESE,
  COMPILER,
  GERMAN,
  JAPANESE,
  POLISH,
  PUMP,
  SALT,
  SPANISH,
  type Story,
  VOTE,
} from './stories.ts'

const each = (story: Story, wrap: (marked: string, at: number) => string): string =>
  story.paragraphs.map((text, at) => wrap(mark(text), at)).join('\n')

const KOREAN: Story = {
  title: '폐역이 된 간이역, 주민들이 도서관으로 되살려',
  paragraphs: [
    '12년 전 마지막 열차가 떠난 산골 간이역이 마을 도서관으로 다시 문을 열었다. 주민 마흔두 명이 3년 동안 주말마다 모여 지붕을 고치고 벽을 칠했다.',
    '대합실이던 자리에는 책 4천 권이 꽂혔고, 매표소는 어린이 열람실이 됐다. 역장이 쓰던 모자는 출입문 옆에 그대로 걸려 있다.',
    '“기차는 안 오지만 사람은 온다”고 주민 대표는 말했다. 도서관은 월요일을 빼고 매일 오전 10시에 문을 연다.',
  ],
}

export const SITE_PAGES: ArticlePage[] = [
  {
    name: 'unseen-wp-classic-theme',
    title: SALT.title,
    author: 'Ruth Okello',
    date: '2017-08-20',
    html: `<!DOCTYPE html><html lang="en-GB" class="no-js"><head><title>${SALT.title} &#8211; Low Tide Letters</title><meta name="generator" content="WordPress 4.8"></head><body class="post-template-default single single-post"><div id="page" class="site"><div class="site-inner"><a class="skip-link screen-reader-text">Skip to content</a><header id="masthead" class="site-header"><p class="site-title"><a href="/" rel="home">Low Tide Letters</a></p><p class="site-description">Notes from a flat coast</p></header><div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-221" class="post-221 post type-post"><header class="entry-header"><h1 class="entry-title">${SALT.title}</h1></header><div class="entry-content">${paragraphs(SALT)}<div id="jp-post-flair" class="sharedaddy"><h3 class="sd-title">Share this:</h3><ul><li><a>Click to share on Twitter</a></li></ul></div></div><footer class="entry-footer"><span class="byline"><span class="author vcard"><img alt=""><span class="screen-reader-text">Author </span> <a class="url fn n" href="/author/ruth/">Ruth Okello</a></span></span><span class="posted-on"><span class="screen-reader-text">Posted on </span><a rel="bookmark"><time class="entry-date published" datetime="2017-08-20T07:11:42+00:00">20 August 2017</time><time class="updated" datetime="2018-01-03T10:00:00+00:00">3 January 2018</time></a></span><span class="cat-links">Categories <a>Weather</a></span></footer></article><div id="comments" class="comments-area"><h2 class="comments-title">2 thoughts on &ldquo;${SALT.title}&rdquo;</h2><ol class="comment-list"><li class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Bosse</b> says:</div><time datetime="2017-08-21T07:00:00+00:00">21 August 2017 at 7:00 am</time></footer><div class="comment-content"><p>My grandmother had a word for the smell before hail. Nobody wrote it down and now I only remember that there was one, which is worse than nothing.</p></div></article></li></ol></div><nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2><a rel="prev"><span>Previous</span> <span class="post-title">The dyke in three colours</span></a></nav></main></div><aside id="secondary" class="sidebar widget-area"><section class="widget widget_recent_entries"><h2 class="widget-title">Recent Posts</h2><ul><li><a>The dyke in three colours</a></li></ul></section></aside></div></div></div></body></html>`,
  },
  {
    name: 'unseen-wp-block-theme-query-loop',
    title: PUMP.title,
    author: 'Idris Vale',
    date: '2024-10-05',
    html: `<!DOCTYPE html><html lang="en-US"><head><title>${PUMP.title} &#8211; The Cellar Pages</title></head><body class="single wp-embed-responsive"><div class="wp-site-blocks"><header class="wp-block-template-part"><div class="wp-block-group is-layout-flex"><p class="wp-block-site-title"><a href="/">The Cellar Pages</a></p><nav class="wp-block-navigation"><ul><li>About</li><li>Archive</li></ul></nav></div></header><main class="wp-block-group"><div class="wp-block-group has-global-padding"><h1 class="wp-block-post-title">${PUMP.title}</h1><div class="wp-block-group is-layout-flex"><p class="has-accent-4-color">Written by</p><div class="wp-block-post-author-name"><a href="/author/idris/" class="wp-block-post-author-name__link">Idris Vale</a></div><p>in</p><div class="taxonomy-category wp-block-post-terms"><a rel="tag">Heating</a></div></div><figure class="wp-block-post-featured-image"><img src="p.jpg" alt=""></figure><div class="entry-content wp-block-post-content is-layout-constrained">${each(PUMP, (text, at) => `${at === 2 ? `<h2 class="wp-block-heading">${mark('Taking the old one out')}</h2>` : ''}<p>${text}</p>`)}</div><div class="wp-block-group"><div class="wp-block-post-date"><time datetime="2024-10-05T18:00:00+02:00">October 5, 2024</time></div></div></div><div class="wp-block-group alignwide"><h2 class="wp-block-heading">More posts</h2><div class="wp-block-query"><ul class="wp-block-post-template">${['Bleeding a radiator without bleeding', 'What the pressure gauge is trying to say', 'A cellar is a room too'].map((title, at) => `<li class="wp-block-post"><h3 class="wp-block-post-title"><a>${title}</a></h3><div class="wp-block-post-excerpt"><p>I had the same trouble for three winters before I understood that it was the valve and not the pump at all, and that nobody had opened it since 1994.</p></div><div class="wp-block-post-date"><time datetime="2024-09-0${at + 1}T18:00:00+02:00">September ${at + 1}, 2024</time></div></li>`).join('')}</ul></div></div></main><footer class="wp-block-template-part"><p>Designed with WordPress</p></footer></div></body></html>`,
  },
  {
    name: 'unseen-medium-like',
    title: COMPILER.title,
    author: 'Noemi Castellan',
    date: '2023-02-28',
    html: `<!doctype html><html lang="en"><head><title>${COMPILER.title} | by Noemi Castellan | Slow Builds | Medium-ish</title><meta property="og:title" content="${COMPILER.title}"><meta name="twitter:data1" content="6 min read"></head><body><div id="root"><div class="a b c"><div class="d e f"><a>Open in app</a><a>Sign up</a><a>Sign in</a><a>Write</a></div></div><div class="n p"><article><div class="l"><div class="l"><section><div><div class="gn go gp"><div class="ab cn"><div class="ci bh"><div><h1 id="aa1" class="pw-post-title gq gr gs" data-testid="storyTitle">${COMPILER.title}</h1><div class="ir is it"><h2 class="pw-subtitle-paragraph">${mark('We bought eleven machines and learned one sentence.')}</h2></div><div class="iw ix"><div class="speechify-ignore ab co"><div class="ab q"><a><img alt="Noemi Castellan" src="x.png"></a><div class="bm bg l"><p class="be b"><a class="af ag" data-testid="authorName" rel="noopener follow">Noemi Castellan</a></p><p class="be b"><span>·</span><button>Follow</button></p><div class="ab"><span class="be b">Published in</span><a><p class="be b">Slow Builds</p></a><span class="be b"><span data-testid="storyReadTime">6 min read</span><span>·</span><span data-testid="storyPublishDate">Feb 28, 2023</span></span></div></div></div></div><div class="speechify-ignore"><button>--</button><p>212</p><button>4</button><span>Listen</span><span>Share</span></div></div>${each(COMPILER, (text, at) => `<p id="p${at}" class="pw-post-body-paragraph lx ly">${text}</p>${at === 1 ? '<figure class="pv"><img src="g.png"><figcaption class="ql">A graph that went the wrong way</figcaption></figure>' : ''}`)}</div></div></div></div></div></section></div></div></article></div><div class="tag row"><a>Build Tools</a><a>Compilers</a></div><div class="ab"><div class="l"><h2>Written by Noemi Castellan</h2><p>1.2K Followers</p><p>Builds things that build things.</p></div></div><div class="bb"><h2>More from Noemi Castellan and Slow Builds</h2><div><h2>The cache that knew too much</h2><p>A story about a hash, a symlink, and a Friday.</p></div></div><div><h2>Recommended from Medium-ish</h2><div><h2>Ten habits of people who wake at four</h2><p>Number six will make you go back to bed.</p></div></div><div><a>Help</a><a>Status</a><a>About</a></div></div></body></html>`,
  },
  {
    name: 'unseen-newsletter-platform',
    title: 'The committee of small bridges',
    author: 'Theo Marchetti',
    date: '2024-05-12',
    html: `<!DOCTYPE html><html lang="en"><head><title>The committee of small bridges - by Theo Marchetti</title><meta property="og:title" content="The committee of small bridges"><meta name="author" content="Theo Marchetti">${jsonLd({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: 'The committee of small bridges', datePublished: '2024-05-12T09:01:33+00:00', dateModified: '2024-05-12T09:01:33+00:00', isAccessibleForFree: true, author: [{ '@type': 'Person', name: 'Theo Marchetti' }], publisher: { '@type': 'Organization', name: 'Underfoot' } })}</head><body><div id="entry"><div id="main" class="main typography"><div class="topbar"><h1 class="h1"><a href="https://underfoot.example/">Underfoot</a></h1><button>Subscribe</button><button>Sign in</button></div><div class="single-post-container"><article class="typography newsletter-post post"><div class="post-header"><h1 class="post-title published">The committee of small bridges</h1><h3 class="subtitle">${mark('On a walk with the man who counts them')}</h3><div class="profile-hover"><a>Theo Marchetti</a><div class="pencraft">May 12, 2024</div></div><div class="like-button">38</div><div>6</div><a>Share</a></div><div class="available-content"><div dir="auto" class="body markup"><p><span>${mark('There are 214 bridges in the district and the man who counts them has a bad knee. He counts them anyway, once a year, in the week after the snow goes.')}</span></p><p><span>${mark('“A bridge is a promise,” he says, and taps the rail with his pencil. This one is a promise made in 1968 by a cooperative that no longer exists.')}</span></p><div class="subscription-widget-wrap"><div class="subscription-widget"><div class="preamble"><p class="cta-caption">Underfoot is a reader-supported publication. To receive new posts and support my work, consider becoming a free or paid subscriber.</p></div><form><input type="email" placeholder="Type your email..."><button>Subscribe</button></form></div></div><p><span>${mark('We find the plate with the number under ivy. He wipes it with his sleeve, writes it down, and photographs his own shoe by mistake.')}</span></p><blockquote><p>${mark('Nobody has ever fallen from one of mine, he says. They fall next to them.')}</p></blockquote><p><span>${mark('In the evening he has done nineteen. The list goes to an office where, he believes, nobody reads it; the office, when I call, knows every number by heart.')}</span></p></div></div><div class="post-footer"><a>Share</a></div></article></div><div class="comments-section"><h4>Discussion about this post</h4><div class="comment"><a>Perpetua</a><p>My father built number 88, and he would like it known that the ivy was already there when they asked him about the paint.</p></div></div><div class="portable-archive"><h4>Top</h4><div><a>On kerbs</a><p>They are lower than they were</p></div></div></div></div></body></html>`,
  },
  {
    name: 'unseen-news-graph-references',
    title: BRIDGE.title,
    author: 'Oona Farrell, Mikael Strand',
    date: '2024-04-18',
    html: `<!doctype html><html lang="en-GB"><head><title>Rail bridge reopens in June | West Valley Courier</title><link rel="canonical" href="https://courier.example/news/rail-bridge-12345"><script type="application/ld+json">${JSON.stringify(
      {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'NewsArticle',
            '@id': '#a',
            headline: BRIDGE.title,
            datePublished: '2024-04-18T15:00:00+01:00',
            author: [{ '@id': '#p1' }, { '@id': '#p2' }],
            publisher: { '@id': '#o' },
          },
          { '@type': 'Person', '@id': '#p1', name: 'Oona Farrell' },
          { '@type': 'Person', '@id': '#p2', name: 'Mikael Strand' },
          { '@type': 'NewsMediaOrganization', '@id': '#o', name: 'West Valley Courier' },
          {
            '@type': 'BreadcrumbList',
            itemListElement: [{ '@type': 'ListItem', position: 1, name: 'News' }],
          },
        ],
      },
    )}</script></head><body><div class="site-head"><a>Courier</a><ul><li>News</li><li>Sport</li><li>What's On</li></ul></div><div class="lead-art"><div class="kick">Transport</div><h1>${BRIDGE.title}</h1><div class="by"><a href="/authors/oona">Oona Farrell</a> and <a href="/authors/mikael">Mikael Strand</a></div><div class="when">15:00, 18 APR 2024</div></div><div class="art-grid"><div class="art-text">${each(BRIDGE, (text, at) => `<p>${text}</p>${at === 1 ? '<div class="nl-box"><h3>Get the Courier in your inbox</h3><p>The day in the valley, told in five minutes. Sign up free and unsubscribe whenever you like.</p></div>' : at === 3 ? '<p><strong><a href="/x">READ MORE: Swifts return to the arches for a third summer</a></strong></p>' : ''}`)}</div><div class="art-rail"><h4>Most Read</h4><ol><li><a>Man finds cannonball while planting leeks</a></li><li><a>Bakery to open on Sundays</a></li></ol></div></div><div class="comment-cta"><h4>Story Saved</h4><p>You can find this story in My Bookmarks. Or by navigating to the user icon in the top right.</p></div></body></html>`,
  },
  {
    name: 'unseen-nineties-nested-tables',
    title: 'The mills of the lower Wend',
    author: 'H. J. Thorne',
    date: '1998-03-03',
    html: `<HTML><HEAD><TITLE>Wend Valley Local History - Mills</TITLE></HEAD><BODY BGCOLOR=#FFFFE0 BACKGROUND="paper.gif"><TABLE WIDTH=600 BORDER=0 CELLPADDING=4><TR><TD COLSPAN=2 ALIGN=CENTER><IMG SRC="title.gif" ALT="Wend Valley Local History"><HR></TD></TR><TR><TD VALIGN=TOP WIDTH=120 BGCOLOR=#CCCC99><FONT SIZE=2><A HREF=index.htm>Home</A><BR><A HREF=mills.htm>Mills</A><BR><A HREF=ferry.htm>Ferries</A><BR><A HREF=guest.htm>Guest book</A><BR><A HREF=links.htm>Links</A><BR>You are visitor<BR><IMG SRC="/cgi-bin/counter"></FONT></TD><TD VALIGN=TOP><CENTER><FONT SIZE=+2 COLOR=#663300><B>The mills of the lower Wend</B></FONT><BR><I>by H. J. Thorne</I></CENTER><P><FONT FACE="Times">${mark('Of the nine mills that the survey of 1611 names between the weir and the sea, four have left a wall standing and one a wheel. The rest are fields with odd corners.')}<P>${mark('The oldest, at Hollin, ground for the priory and was let for twenty-two shillings and a hundred eels. The eels were still paid, in money, when the lease ended in 1790.')}<P><TABLE BORDER=1 ALIGN=RIGHT><TR><TH>${mark('Mill')}</TH><TH>${mark('Last ground')}</TH></TR><TR><TD>${mark('Hollin')}</TD><TD>${mark('1911')}</TD></TR><TR><TD>${mark('Sluice End')}</TD><TD>${mark('1874')}</TD></TR></TABLE>${mark('The wheel at Sluice End was made of elm below the water and oak above it, because elm does not mind being drowned. It was broken up for a bonfire at the peace.')}<P>${mark('If you know of a picture of the tide mill, however bad, please write to me. I have been looking for one since before I had grey hair.')}</FONT><P><HR><FONT SIZE=1>Last updated: March 3, 1998. Best viewed with any browser at 640x480.</FONT></TD></TR><TR><TD COLSPAN=2 ALIGN=CENTER><FONT SIZE=1>[ <A>Home</A> | <A>Mills</A> | <A>Ferries</A> | <A>Links</A> ]<BR>&copy; 1997-98 Wend Valley Local History Group</FONT></TD></TR></TABLE></BODY></HTML>`,
  },
  {
    name: 'unseen-amp-page',
    title: CHESS.title,
    author: 'Jitka Malá',
    date: '2024-02-11',
    html: `<!doctype html><html amp lang="en"><head><meta charset="utf-8"><title>${CHESS.title}</title><link rel="canonical" href="https://moravian.example/chess"><script async src="v0.js"></script><style amp-custom>body{}</style>${jsonLd({ '@context': 'http://schema.org', '@type': 'NewsArticle', headline: CHESS.title, datePublished: '2024-02-11T18:02:00Z', author: 'Jitka Malá' })}</head><body><amp-sidebar id="side" layout="nodisplay"><ul><li>Home</li><li>Chess</li><li>Go</li></ul></amp-sidebar><amp-consent id="consent" layout="nodisplay"><div id="ui"><p>We and our 812 partners store and access information on your device, such as unique identifiers in cookies, to process personal data. You may accept or manage your choices.</p><button>Accept</button></div></amp-consent><header class="amp-hd"><a>Moravian Post</a></header><article class="amp-wp-article"><header class="amp-wp-article-header"><h1 class="amp-wp-title">${CHESS.title}</h1><div class="amp-wp-meta amp-wp-byline"><span class="amp-wp-author author vcard">Jitka Malá</span></div><div class="amp-wp-meta amp-wp-posted-on"><time datetime="2024-02-11T18:02:00Z">9 months ago</time></div></header><figure class="amp-wp-article-featured-image"><amp-img src="c.jpg" width="600" height="400"></amp-img><figcaption>The hall of the grammar school</figcaption></figure><div class="amp-wp-article-content">${paragraphs(CHESS, 0, 2)}<amp-ad width="300" height="250" type="x"><div fallback>Advertisement</div></amp-ad>${paragraphs(CHESS, 2)}</div><footer class="amp-wp-article-footer"><div class="amp-wp-meta amp-wp-comments-link"><a>Leave a Comment</a></div></footer></article><section class="amp-related-posts"><h3>Related Post</h3><ul><li><div class="related_link"><a>Village school wins relay with eleven left shoes</a></div></li></ul></section><footer class="amp-wp-footer"><p><a>Back to top</a></p></footer></body></html>`,
  },
  {
    name: 'unseen-consent-wall-longer-than-text',
    title: VOTE.title,
    author: 'Daniela Roth',
    date: '2024-06-26',
    html: `<html lang="en"><head><title>${VOTE.title} – Capital Wire</title><meta property="article:published_time" content="2024-06-26T10:00:00+02:00"></head><body><div class="fc-consent-root"><div class="fc-dialog-container"><div class="fc-dialog"><h2>Capital Wire asks for your consent to use your personal data to:</h2>${Array.from({ length: 8 }, (_, at) => `<p>Your personal data will be processed and information from your device (cookies, unique identifiers, and other device data) may be stored by, accessed by and shared with ${130 + at} partners, or used specifically by this site. Some vendors may process your personal data on the basis of legitimate interest, which you can object to by managing your options below. Look for a link at the bottom of this page to withdraw consent.</p>`).join('')}<button>Consent</button><button>Manage options</button></div></div></div><div id="app"><header><a>Capital Wire</a></header><div class="story"><h1 class="story__hl">${VOTE.title}</h1><p class="story__by">Daniela Roth, parliament correspondent</p>${paragraphs(VOTE)}</div><div class="rel"><h3>Related</h3><ul><li><a>Reservoirs at half after dry spring</a></li><li><a>How a bill becomes a leak</a></li></ul></div></div></body></html>`,
  },
  {
    name: 'unseen-ja-blog-split-date',
    title: JAPANESE.title,
    author: 'みそ蔵のねこ',
    date: '2023-11-08',
    html: `<!DOCTYPE html><html lang="ja"><head><meta charset="utf-8"><title>${JAPANESE.title} - 蔵のある町から</title><meta property="og:site_name" content="蔵のある町から"><meta property="og:type" content="article"><meta property="og:title" content="${JAPANESE.title} - 蔵のある町から"></head><body class="page-entry"><div id="globalheader-container"><a>ブログを作る</a></div><div id="container"><header id="blog-title"><h1 id="title"><a href="/">蔵のある町から</a></h1><h2 id="blog-description">醤油と猫と坂道</h2></header><div id="content"><div id="main"><article class="entry hentry js-entry-article date-first"><div class="entry-inner"><header class="entry-header"><div class="date entry-date first"><a rel="nofollow"><time datetime="2023-11-08T01:30:00Z" title="2023-11-08T01:30:00Z"><span class="date-year">2023</span><span class="hyphen">-</span><span class="date-month">11</span><span class="hyphen">-</span><span class="date-day">08</span></time></a></div><h1 class="entry-title"><a class="entry-title-link bookmark">${JAPANESE.title}</a></h1><div class="entry-categories categories"><a>町のこと</a></div></header><div class="entry-content">${each(JAPANESE, (text) => `<p>${text}</p>`)}</div><footer class="entry-footer"><p class="entry-footer-section"><span class="author vcard"><span class="fn">みそ蔵のねこ</span></span> <span class="entry-footer-time"><a>2年前</a></span></p><div class="social-buttons">はてなブックマーク</div><div class="comment-box"><a>コメントを書く</a></div></footer></div></article><div class="pager"><a>« 坂道の自転車屋さんが閉まる</a></div></div></div><aside id="box1"><div class="hatena-module"><div class="hatena-module-title">プロフィール</div><p>みそ蔵の二階に住む猫です。ときどき文章を書きます。</p></div></aside></div></body></html>`,
  },
  {
    name: 'unseen-ko-portal-news',
    title: KOREAN.title,
    author: '김민수',
    date: '2023-05-03',
    html: `<!DOCTYPE html><html lang="ko"><head><title>${KOREAN.title}</title><meta property="og:title" content="${KOREAN.title}"><meta property="og:article:author" content="산골일보 | 네이웃"></head><body><div class="Nheader"><a>뉴스</a><a>랭킹</a></div><div id="ct_wrap"><div class="media_end_head"><a class="media_end_head_top_logo">산골일보</a><h2 id="title_area" class="media_end_head_headline"><span>${KOREAN.title}</span></h2><div class="media_end_head_info"><div class="media_end_head_info_datestamp"><div class="media_end_head_info_datestamp_bunch">입력<span class="media_end_head_info_datestamp_time _ARTICLE_DATE_TIME" data-date-time="2023-05-03 09:12:04">2023.05.03. 오전 9:12</span></div><div class="media_end_head_info_datestamp_bunch">수정<span class="media_end_head_info_datestamp_time">2023.05.03. 오후 1:40</span></div></div><div class="media_end_head_journalist"><em class="media_end_head_journalist_name">김민수 기자</em></div></div></div><div id="contents" class="newsct_body"><div id="newsct_article"><article id="dic_area" class="go_trans _article_content"><span class="end_photo_org"><img src="a.jpg"><em class="img_desc">책으로 채워진 대합실. 산골일보 자료사진</em></span>${KOREAN.paragraphs.map(mark).join('<br><br>')}</article></div><div class="byline"><p class="byline_p"><span class="byline_s">김민수 기자 (minsu@sangol.example)</span></p></div><div class="copyright"><p class="c_text">Copyright ⓒ 산골일보. All rights reserved. 무단 전재 및 재배포 금지.</p></div><div class="u_likeit">이 기사를 추천합니다</div></div><div class="media_end_linked"><h3>산골일보 주요뉴스</h3><ul><li><a>버스가 하루 두 번 오는 마을의 시간표</a></li></ul></div></div></body></html>`,
  },
  {
    name: 'unseen-zh-source-line',
    title: CHINESE.title,
    author: '李娜',
    date: '2022-05-04',
    html: `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${CHINESE.title}_江畔新闻网</title><meta name="keywords" content="渡口,船票"></head><body><div class="top"><a>首页</a><a>国内</a><a>体育</a></div><div class="path">当前位置：<a>首页</a> &gt; <a>社会</a> &gt; 正文</div><div class="w1000"><div class="left"><h1 class="tit">${CHINESE.title}</h1><div class="info"><span>2022-05-04 10:22:11</span> <span>来源：江畔日报</span> <span>作者：李娜</span> <span>责任编辑：王强</span> <span>字号：<a>大</a> <a>小</a></span></div><div id="content_area" class="content">${each(CHINESE, (text) => `<p>　　${text}</p>`)}<p style="text-align:right">（江畔日报记者 李娜）</p></div><div class="editor">（责编：王强）</div><div class="page">分享到：微信 微博</div><div class="tuijian"><h3>推荐阅读</h3><ul><li><a>桥头小学搬进新校舍</a></li></ul></div></div><div class="right"><h3>热点排行</h3><ol><li><a>春茶开采</a></li><li><a>龙舟下水</a></li></ol></div></div><div class="foot">版权所有 江畔新闻网 京ICP备00000000号</div></body></html>`,
  },
  {
    name: 'unseen-ar-news-rtl',
    title: ARABIC.title,
    author: 'سلمى الحداد',
    date: '2023-09-12',
    html: `<!DOCTYPE html><html lang="ar" dir="rtl"><head><title>${ARABIC.title} | صحيفة الوادي</title><meta property="og:site_name" content="صحيفة الوادي"></head><body><div class="top-bar"><ul><li>الرئيسية</li><li>محليات</li><li>رياضة</li></ul></div><div class="post-wrap"><h1 class="post-ttl">${ARABIC.title}</h1><div class="post-data"><span class="aut">كتبت: سلمى الحداد</span><span class="dt">الثلاثاء 12 سبتمبر 2023 - 10:40 ص</span></div><div class="post-txt">${each(ARABIC, (text, at) => `<p>${text}</p>${at === 1 ? '<p><a href="/x">اقرأ أيضا: عودة القطار إلى محطة الوادي</a></p>' : ''}`)}</div><div class="post-tags">الكلمات الدالة: <a>مدرسة</a> <a>قرية</a></div><div class="rel"><h3>مواضيع ذات صلة</h3><a>افتتاح مكتبة متنقلة للأطفال</a></div></div><div class="ft">جميع الحقوق محفوظة لصحيفة الوادي 2023</div></body></html>`,
  },
  {
    name: 'unseen-de-portal-byline-line',
    title: GERMAN.title,
    author: 'Karl-Heinz Brüning',
    date: '2023-05-31',
    html: `<!DOCTYPE html><html lang="de"><head><title>${GERMAN.title} - Norddeutscher Bote</title><meta name="author" content="Norddeutscher Bote"></head><body><header class="kopf"><a>Norddeutscher Bote</a><a>Abo</a><a>E-Paper</a></header><div class="seite"><div class="dachzeile">Landkreis</div><h1>${GERMAN.title}</h1><div class="autorzeile">Von Karl-Heinz Brüning | 31.05.2023, 14:12 Uhr | Lesedauer: 3 Minuten</div><div class="vorlesen">Artikel anhören</div>${each(GERMAN, (text, at) => `<div class="absatz"><p>${text}</p></div>${at === 1 ? '<div class="anz">ANZEIGE</div><div class="zitat-box">„Das Moor ist keine Wiese.“</div>' : ''}`)}<div class="kommentar-hinweis">Die Kommentarfunktion ist für diesen Artikel geschlossen. Bitte beachten Sie unsere Netiquette und die Hinweise zum Datenschutz auf dieser Seite.</div><div class="weitere"><h2>Weitere Nachrichten</h2><div><a>Storch brütet auf Strommast</a></div></div></div></body></html>`,
  },
  {
    name: 'unseen-pl-cms-meta-below',
    title: POLISH.title,
    author: 'Agnieszka Wrona',
    date: '2021-10-31',
    html: `<!DOCTYPE html><html lang="pl"><head><title>${POLISH.title} | Kurier Miejski</title></head><body><div class="page"><div class="menu-gorne"><a>Wiadomości</a><a>Kultura</a></div><div class="art"><h1>${POLISH.title}</h1><div class="lead"><strong>${mark('Zegarmistrz prosi o cierpliwość, a radni o nowy mechanizm.')}</strong></div><div class="tresc">${each(POLISH, (text) => `<p>${text}</p>`)}</div><div class="podpis">Agnieszka Wrona</div><div class="data-pub">Opublikowano: 31 października 2021</div></div><div class="polecane"><h3>Polecane</h3><a>Nowy rozkład jazdy tramwajów</a></div><div class="stopka">Wszelkie prawa zastrzeżone</div></div></body></html>`,
  },
  {
    name: 'unseen-mail-campaign-tables',
    title: 'Spring letter from the seed library',
    author: null,
    date: null,
    html: `<!DOCTYPE html><html lang="en"><head><title>Spring letter from the seed library</title></head><body><span class="preheader" style="display:none;max-height:0">Beans, beans, and a request</span><center><table id="bodyTable" width="100%"><tr><td align="center"><table width="600"><tr><td class="preheaderContainer"><table><tr><td class="mcnTextContent"><a>View this email in your browser</a></td></tr></table></td></tr><tr><td class="headerContainer"><table><tr><td><img src="logo.png" alt="Seed library"></td></tr></table></td></tr><tr><td class="bodyContainer"><table class="mcnTextBlock"><tr><td class="mcnTextContent"><h1>Spring letter from the seed library</h1><p>${mark('Dear growers, the drawers are open again. We have sixty-one kinds of bean this year, and one that nobody can name.')}</p><p>${mark('If you took seed last spring, please bring back twice what you took. If it failed, bring back the story; we file those too.')}</p></td></tr></table><table class="mcnTextBlock"><tr><td class="mcnTextContent"><h3>${mark('What we need')}</h3><p>${mark('Paper envelopes, clean jars with lids, and somebody with a van on the second Saturday in March.')}</p></td></tr></table><table class="mcnButtonBlock"><tr><td><a>Reserve your seeds</a></td></tr></table></td></tr><tr><td class="footerContainer"><table><tr><td class="mcnTextContent"><em>Copyright &copy; 2023 Seed Library, All rights reserved.</em><br>You are receiving this email because you borrowed seeds.<br>Want to change how you receive these emails? You can <a>update your preferences</a> or <a>unsubscribe</a>.</td></tr></table></td></tr></table></td></tr></table></center></body></html>`,
  },
  {
    name: 'unseen-es-regional-signature',
    title: SPANISH.title,
    author: 'Elvira Santos',
    date: '2021-09-14',
    html: `<!DOCTYPE html><html lang="es"><head><title>${SPANISH.title}. Diario de la Meseta</title><meta property="og:site_name" content="Diario de la Meseta"><meta property="og:title" content="Un pueblo instala su propia telefonía"></head><body><div class="cabecera"><a>Diario de la Meseta</a><span>Martes, 30 de septiembre de 2025</span></div><div class="noticia"><p class="antetitulo">Pueblos</p><h1 class="titular">${SPANISH.title}</h1><div class="firma-noticia"><p>Elvira Santos</p><p>Valdehierro</p><p>14 SEP 2021 / 07:00 H.</p></div><div class="cuerpo">${each(SPANISH, (text) => `<p>${text}</p>`)}</div><ul class="etiquetas"><li><a>telefonía</a></li></ul><div class="mas"><h4>También te puede interesar</h4><p><a>La escuela que volvió con dos alumnos</a></p></div></div></body></html>`,
  },
  {
    name: 'unseen-static-blog-plain',
    title: BEES.title,
    author: 'Wim de Boer',
    date: '2023-07-05',
    html: `<!doctype html><html lang="en"><head><title>${BEES.title}</title><link rel="alternate" type="application/atom+xml" href="/feed"></head><body><nav><a href="/">home</a> <a href="/posts">posts</a> <a href="/about">about</a></nav><h1>${BEES.title}</h1><p><small>2023-07-05 — Wim de Boer — <a>#bees</a> <a>#city</a></small></p>${each(BEES, (text, at) => `<p>${text}</p>${at === 2 ? `<h2>${mark('What the drivers say')}</h2>` : ''}`)}<hr><p><em>Thanks to Mo and Hilde for reading drafts of this post.</em></p><p><a>← Older</a> <a>Newer →</a></p><footer><p>Written in plain HTML. No cookies were baked.</p></footer></body></html>`,
  },
]
