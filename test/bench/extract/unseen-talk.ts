/**
 * Threads, questions, comments and letters as forum software and mail archives print them. First
 * look, all 37 pages of this file and its two sisters: text F1 0.921, titles 92 %, authors 60 %,
 * dates 93 %, 3 invented.
 */
import { type ArticlePage, mark } from './article-page.ts'

const discourse: ArticlePage = {
  name: 'unseen-discourse-crawler',
  title: 'Sourdough starter smells of nail varnish',
  author: 'halina_w',
  date: '2022-01-18',
  html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sourdough starter smells of nail varnish - Starters - Bread Bench</title><meta name="description" content="Mine has been fine for two years."><meta property="og:site_name" content="Bread Bench"><meta property="og:title" content="Sourdough starter smells of nail varnish"><meta name="generator" content="Discourse 2.8.0"></head><body class="crawler"><header><a href="/">Bread Bench</a></header><div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/sourdough-starter/412">Sourdough starter smells of nail varnish</a></h1><div class="topic-category" itemscope itemtype="http://schema.org/BreadcrumbList"><span itemprop="itemListElement"><a itemprop="item"><span itemprop="name">Starters</span></a></span></div></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="Sourdough starter smells of nail varnish"><meta itemprop="articleSection" content="Starters"><div itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><meta itemprop="name" content="Bread Bench"></div><div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" href="/u/halina_w"><span itemprop="name">halina_w</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="2022-01-18T19:04:11Z" class="post-time">January 18, 2022, 7:04pm</time><span itemprop="position">1</span></span></div><div class="post" itemprop="articleBody"><p>${mark('Mine has been fine for two years. Since we moved it smells of nail varnish by the second day, and the loaf comes out like a brick that has been sat on.')}</p><p>${mark('Same flour, same jar, colder kitchen. Do I throw it out?')}</p></div></div><div id="post_2" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url"><span itemprop="name">oven_gloves</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="2022-01-18T20:15:00Z">January 18, 2022, 8:15pm</time><span itemprop="position">2</span></span></div><div class="post" itemprop="text"><p>${mark('Never throw it out. That smell is hunger: it has eaten everything and is living on its savings.')}</p><p>${mark('Feed it twice a day for three days, and use less of the old one each time.')}</p></div><div itemprop="interactionStatistic"><meta itemprop="userInteractionCount" content="3"><span class="post-likes">3 Likes</span></div></div><div id="post_3" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator"><a><span itemprop="name">halina_w</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="2022-01-22T08:00:00Z">January 22, 2022, 8:00am</time></span></div><div class="post" itemprop="text"><p>${mark('Three days later it doubles by noon and smells of yoghurt. I owe you a loaf.')}</p></div></div></div></div><footer class="container wrap"><nav class="crawler-nav"><a>Home</a><a>Categories</a><a>Guidelines</a></nav><p class="powered-by-link">Powered by <a>Discourse</a>, best viewed with JavaScript enabled</p></footer></body></html>`,
}

const phpbb: ArticlePage = {
  name: 'unseen-phpbb-prosilver',
  title: 'Rear hub play after bearing swap',
  author: 'spokesman',
  date: '2018-05-06',
  html: `<!DOCTYPE html><html dir="ltr" lang="en-gb"><head><title>Rear hub play after bearing swap - Wheelwrights' Forum</title></head><body id="phpbb" class="nojs section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar" role="banner"><div id="site-description"><h1>Wheelwrights' Forum</h1><p>Round things, mostly true</p></div></div><div class="navbar"><ul id="nav-main" class="nav-main"><li>Quick links</li><li>FAQ</li><li>Login</li></ul></div></div><div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="./viewtopic.php?t=2213">Rear hub play after bearing swap</a></h2><div class="action-bar bar-top"><a class="button">Post Reply</a><div class="pagination">3 posts &bull; Page <strong>1</strong> of <strong>1</strong></div></div>${[
    [
      'spokesman',
      'Sun May 06, 2018 9:41 am',
      'I pressed two new bearings into the rear hub and now there is a knock at every turn, which was not there with the worn ones.',
      'The axle end caps are tight. Could I have pressed one in crooked?',
    ],
    [
      'Anouk B',
      'Sun May 06, 2018 11:02 am',
      'Crooked bearings bind, they do not knock. Look at the spacer tube between them: if it is a hair too short the races never touch it.',
      'Measure it against the shell, not against the old bearings.',
    ],
    [
      'spokesman',
      'Mon May 07, 2018 7:15 pm',
      'Spacer was at the bottom of the parts washer. I am an idiot with a quiet hub now.',
      'Thanks, the ride home was silent apart from me.',
    ],
  ]
    .map(
      ([who, when, one, two], at) =>
        `<div id="p${at}" class="post has-profile bg${at % 2}"><div class="inner"><dl class="postprofile"><dt><div class="avatar-container"></div><a class="username">${who}</a></dt><dd class="profile-posts"><strong>Posts:</strong> ${31 + at}</dd><dd class="profile-joined"><strong>Joined:</strong> Tue Mar 0${at + 1}, 2016 8:12 pm</dd></dl><div class="postbody"><div><h3 class="${at === 0 ? 'first' : ''}"><a href="#p${at}">${at ? 'Re: ' : ''}Rear hub play after bearing swap</a></h3><ul class="post-buttons"><li><a>Quote</a></li></ul><p class="author"><a class="unread">Post</a><span class="responsive-hide">by <strong><a class="username">${who}</a></strong> &raquo; </span>${when}</p><div class="content">${mark(one!)}<br><br>${mark(two!)}</div><div class="signature">Life is a wheel, and mine is out of true.</div></div></div></div></div>`,
    )
    .join(
      '<hr class="divider">',
    )}<p class="jumpbox-return"><a>Return to &ldquo;Hubs&rdquo;</a></p><div class="stat-block online-list"><h3>Who is online</h3><p>Users browsing this forum: No registered users and 4 guests</p></div></div><div id="page-footer"><div class="copyright">Powered by phpBB&reg; Forum Software</div></div></div></body></html>`,
}

const vbulletin: ArticlePage = {
  name: 'unseen-vbulletin-postbits',
  title: 'Which varnish for an outside bench?',
  author: 'Marlow',
  date: '2012-04-19',
  html: `<html lang="en"><head><title>Which varnish for an outside bench?</title><meta name="generator" content="vBulletin 4.1.12"></head><body><div class="above_body"><div id="header" class="floatcontainer"><a name="top" class="logo-image">Timber Talk</a></div><div id="navbar" class="navbar"><ul><li><a>Forum</a></li><li><a>What's New?</a></li></ul></div></div><div class="body_wrapper"><div id="breadcrumb" class="breadcrumb"><ul><li>Forum</li><li>Finishing</li><li class="lastnavbit"><span>Which varnish for an outside bench?</span></li></ul></div><div id="pagetitle" class="pagetitle"><h1>Thread: <span class="threadtitle"><a>Which varnish for an outside bench?</a></span></h1></div><div id="postlist" class="postlist restrain"><ol id="posts" class="posts">${[
    [
      'Marlow',
      '19th April 2012',
      'Larch bench, south wall, no roof over it. The last coat peeled off in sheets after one winter.',
      'Is there any varnish that lasts, or should I let it go grey?',
    ],
    [
      'Quaysider',
      '19th April 2012',
      'Let it go grey. Varnish on larch in the sun is a subscription, not a finish.',
      'If you must, oil it in May and in September and put a tile under each foot.',
    ],
    [
      'plane_jane',
      '21st April 2012',
      'Agree about oil. Boatyards use it for the same reason: you can add a coat without sanding the old one off.',
      'Avoid anything that says it forms a film.',
    ],
  ]
    .map(
      ([who, when, one, two], at) =>
        `<li class="postbitlegacy postbitim postcontainer old" id="post_${at}"><div class="posthead"><span class="postdate old"><span class="date">${when},&nbsp;<span class="time">0${at + 7}:12 PM</span></span></span><span class="nodecontrols"><a class="postcounter">#${at + 1}</a></span></div><div class="postdetails"><div class="userinfo"><div class="username_container"><div class="popupmenu memberaction"><a class="username offline popupctrl"><strong>${who}</strong></a></div><span class="usertitle">Senior Member</span></div><dl class="userinfo_extra"><dt>Join Date</dt><dd>Feb 2009</dd><dt>Location</dt><dd>By the river</dd><dt>Posts</dt><dd>1,204</dd></dl></div><div class="postbody"><div class="postrow"><div class="content"><div id="post_message_${at}"><blockquote class="postcontent restore">${mark(one!)}<br><br>${mark(two!)}</blockquote></div></div><div class="after_content"></div><blockquote class="signature restore"><div class="signaturecontainer">Measure twice, cut once, buy twice</div></blockquote></div></div></div><div class="postfoot"><a class="newreply">Reply With Quote</a></div></li>`,
    )
    .join(
      '',
    )}</ol></div><div class="thread_info"><h4>Thread Information</h4><p>There are currently 1 users browsing this thread.</p></div></div><div id="footer"><p>All times are GMT +1. The time now is 03:22 AM.</p></div></body></html>`,
}

const exchange: ArticlePage = {
  name: 'unseen-question-site',
  title: 'Why does my lock file change when nothing else does?',
  author: 'tobiah',
  date: '2021-06-30',
  html: `<!DOCTYPE html><html itemscope itemtype="https://schema.org/QAPage" class="html__responsive" lang="en"><head><title>npm - Why does my lock file change when nothing else does? - Build Overflow</title><link rel="canonical" href="https://build.example/questions/681/why-does-my-lock-file-change"><meta property="og:title" content="Why does my lock file change when nothing else does?"></head><body class="question-page"><header class="s-topbar"><a>Build Overflow</a><input placeholder="Search…"></header><div class="container"><div id="left-sidebar"><nav><ol><li><a>Home</a></li><li><a>Questions</a></li><li><a>Tags</a></li></ol></nav></div><div id="content"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question"><div class="inner-content clearfix"><div id="question-header" class="d-flex"><h1 itemprop="name" class="fs-headline1"><a class="question-hyperlink" href="/q/681">Why does my lock file change when nothing else does?</a></h1><a class="ws-nowrap s-btn">Ask Question</a></div><div class="d-flex fw-wrap pb8 mb16 bb"><div class="mb8" title="2021-06-30 10:11:12Z"><span class="fc-light">Asked</span> <time itemprop="dateCreated" datetime="2021-06-30T10:11:12">4 years ago</time></div><div>Modified <a>1 year ago</a></div><div title="Viewed 9,201 times">Viewed 9k times</div></div><div id="mainbar"><div class="question js-question" id="question"><div class="post-layout"><div class="votecell"><button>Up</button><div class="js-vote-count" itemprop="upvoteCount">17</div></div><div class="postcell"><div class="s-prose js-post-body" itemprop="text"><p>${mark('I run the install command twice on the same machine with the same package file, and the lock file differs in its order of integrity lines.')}</p><pre class="lang-bash s-code-block"><code>${mark('npm install && git diff --stat package-lock.json')}</code></pre><p>${mark('How do I make the second run a no-op?')}</p></div><div class="mt24"><div class="post-taglist"><ul><li><a class="post-tag">npm</a></li><li><a class="post-tag">lockfile</a></li></ul></div></div><div class="mb0"><div class="js-post-menu"><a>Share</a><a>Follow</a></div><div class="post-signature"><div class="user-info"><div class="user-action-time">edited <span title="2022-01-04 08:00:00Z" class="relativetime">Jan 4, 2022 at 8:00</span></div></div></div><div class="post-signature owner"><div class="user-info"><div class="user-action-time">asked <span title="2021-06-30 10:11:12Z" class="relativetime">Jun 30, 2021 at 10:11</span></div><div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person"><a href="/users/1/tobiah">tobiah</a><span class="d-none" itemprop="name">tobiah</span><div class="-flair"><span class="reputation-score">2,310</span></div></div></div></div></div></div><div class="post-layout--right"><div class="comments js-comments-container"><ul class="comments-list"><li class="comment"><span class="comment-copy">Which version of the client? The order was not stable before seven.</span> &ndash; <a class="comment-user">mirela</a> <span class="comment-date">Jun 30, 2021 at 10:20</span></li></ul></div></div></div></div><div id="answers"><div id="answers-header"><h2>2 Answers</h2><div>Sorted by: <select><option>Highest score</option></select></div></div><div id="answer-9" class="answer js-answer accepted-answer" itemprop="acceptedAnswer" itemscope itemtype="https://schema.org/Answer"><div class="post-layout"><div class="votecell"><div class="js-vote-count">24</div></div><div class="answercell"><div class="s-prose js-post-body" itemprop="text"><p>${mark('Two clients write it. Your editor runs its own bundled copy in the background, an older one, and each rewrites what the other wrote.')}</p><ol><li>${mark('Pin the client in the engines field.')}</li><li>${mark('Turn off the automatic install of the editor.')}</li><li>${mark('Run the clean install command in scripts; it never writes the lock file.')}</li></ol></div><div class="user-info"><div class="user-action-time">answered <span class="relativetime">Jun 30, 2021 at 11:40</span></div><div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person"><a>Mirela Popa</a></div></div></div></div></div><div class="answer js-answer" itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer"><div class="answercell"><div class="s-prose js-post-body" itemprop="text"><p>${mark('In our case it was the line endings. A checkout on Windows turned every line over, and the client turned them back.')}</p></div></div></div></div></div></div></div></div><div id="sidebar"><div class="s-sidebarwidget"><h2>The Overflow Blog</h2><ul><li><a>What a release looks like from the inside</a></li></ul></div><div class="module sidebar-related"><h4>Related</h4><div class="linked"><a>Install a package without saving</a></div></div></div></div><footer id="footer" class="site-footer">Site design / logo; user contributions licensed</footer></body></html>`,
}

const xenforo: ArticlePage = {
  name: 'unseen-xenforo-thread',
  title: 'First winter with a heat pump: numbers',
  author: 'Lasse K',
  date: '2023-03-02',
  html: `<html id="XF" lang="en-US" class="template-thread_view"><head><title>First winter with a heat pump: numbers | Warm House Community</title><meta property="og:site_name" content="Warm House Community"><meta property="og:type" content="website"><meta property="og:title" content="First winter with a heat pump: numbers"></head><body><div class="p-pageWrapper"><header class="p-header"><a>Warm House Community</a></header><nav class="p-nav"><a>Forums</a><a>What's new</a></nav><div class="p-body"><div class="p-body-inner"><ul class="p-breadcrumbs"><li>Home</li><li>Forums</li></ul><div class="p-body-header"><div class="p-title"><h1 class="p-title-value">First winter with a heat pump: numbers</h1></div><div class="p-description"><ul class="listInline listInline--bullet"><li><i title="Thread starter"></i><a class="username u-concealed">Lasse K</a></li><li><a class="u-concealed"><time class="u-dt" datetime="2023-03-02T21:14:03+0100">Mar 2, 2023</time></a></li></ul></div></div><div class="p-body-main"><div class="p-body-content"><div class="block block--messages"><div class="block-outer"><a>Jump to new</a><a>Watch</a></div><div class="block-container lbContainer"><div class="block-body js-replyNewMessageContainer">${[
    [
      'Lasse K',
      'Mar 2, 2023',
      'Brick house from 1931, 140 square metres, new windows, old radiators. From November to the end of February it took 3,900 kilowatt hours and gave 13,100.',
      'Coldest day was minus eleven; the flow never went over 47 degrees. The neighbours still do not believe me.',
    ],
    [
      'Ingrid F',
      'Mar 3, 2023',
      'Very close to ours. What did you do about the towel rail in the bathroom? Ours is lukewarm and I am reminded of it every morning.',
      '',
    ],
    [
      'Lasse K',
      'Mar 3, 2023',
      'A second, bigger one on the opposite wall. It cost less than the discussion about it.',
      '',
    ],
  ]
    .map(
      ([who, when, one, two], at) =>
        `<article class="message message--post js-post" data-author="${who}" id="js-post-${at}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-userDetails"><h4 class="message-name"><a class="username">${who}</a></h4><h5 class="userTitle message-userTitle">Well-known member</h5></div><div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Joined</dt><dd>Jan 9, 2019</dd></dl><dl class="pairs"><dt>Messages</dt><dd>812</dd></dl></div></section></div><div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution"><ul class="message-attribution-main"><li><a><time class="u-dt" datetime="2023-03-0${2 + Math.min(1, at)}T21:14:03+0100">${when}</time></a></li></ul><ul class="message-attribution-opposite"><li><a>#${at + 1}</a></li></ul></header><div class="message-content js-messageContent"><div class="message-userContent"><article class="message-body js-selectToQuote"><div class="bbWrapper">${mark(one!)}${two ? `<br>${mark(two)}` : ''}</div></article></div><div class="message-lastEdit">Last edited: <time datetime="2023-03-04T07:00:00+0100">Mar 4, 2023</time></div></div><footer class="message-footer"><div class="reactionsBar"><a>Ingrid F and 6 others</a></div></footer></div></div></div></article>`,
    )
    .join(
      '',
    )}</div></div></div><div class="blockMessage blockMessage--none">Share: <a>Facebook</a><a>Link</a></div></div><div class="p-body-sidebar"><div class="block"><h3>Members online</h3><p>No members online now.</p></div></div></div></div></div><footer class="p-footer"><a>Contact us</a><a>Terms and rules</a></footer></div></body></html>`,
}

const nestedTables: ArticlePage = {
  name: 'unseen-comment-tree-tables',
  title: 'Ask: what do you wish your first lathe had taught you?',
  author: 'chuckkey',
  date: '2020-11-14',
  html: `<html lang="en"><head><title>Ask: what do you wish your first lathe had taught you? | Shop News</title></head><body><center><table id="hnmain" border="0" width="85%" bgcolor="#f6f6ef"><tr><td bgcolor="#36c"><table width="100%"><tr><td><b class="hnname"><a href="news">Shop News</a></b> <a>new</a> | <a>past</a> | <a>comments</a></td><td><a>login</a></td></tr></table></td></tr><tr><td><table class="fatitem"><tr class="athing"><td class="title"><span class="titleline"><a href="item?id=1">Ask: what do you wish your first lathe had taught you?</a></span></td></tr><tr><td class="subtext"><span class="subline"><span class="score">41 points</span> by <a class="hnuser">chuckkey</a> <span class="age" title="2020-11-14T09:30:12"><a>on Nov 14, 2020</a></span> | <a>hide</a> | <a>favorite</a> | <a>3&nbsp;comments</a></span></td></tr><tr><td><div class="toptext">${mark('I am buying one for a school workshop and would like to choose the mistakes that the children make.')}</div></td></tr></table><br><table class="comment-tree">${[
    [
      0,
      'tailstock',
      'That the machine does not know you are there. Everything else follows from it: sleeves, rings, hair, the key in the chuck.',
    ],
    [
      40,
      'burr_baron',
      'We had a spring-loaded key for that reason. You cannot leave it in; it jumps out like a bored cat.',
    ],
    [
      0,
      'mossgreen',
      'Sharpening. I turned oak with a spoon for a year and believed it was the wood that was at fault.',
    ],
  ]
    .map(
      ([indent, who, text]) =>
        `<tr class="athing comtr"><td><table border="0"><tr><td class="ind"><img src="s.gif" height="1" width="${indent}"></td><td class="votelinks"><a><div class="votearrow"></div></a></td><td class="default"><div><span class="comhead"><a class="hnuser">${who}</a> <span class="age"><a>on Nov 14, 2020</a></span> <span class="navs">| <a>next</a> [&ndash;]</span></span></div><br><div class="comment"><div class="commtext c00">${mark(text as string)}</div><div class="reply"><p><font size="1"><u><a>reply</a></u></font></p></div></div></td></tr></table></td></tr>`,
    )
    .join(
      '',
    )}</table></td></tr><tr><td><center><span class="yclinks"><a>Guidelines</a> | <a>FAQ</a> | <a>Contact</a></span></center></td></tr></table></center></body></html>`,
}

const mailArchive: ArticlePage = {
  name: 'unseen-mail-archive-pre',
  title: '[tide-tables] Rounding of low water at Hollin',
  author: 'Greta Amundsen',
  date: '2005-08-23',
  html: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><TITLE> [tide-tables] Rounding of low water at Hollin</TITLE><LINK REL="Index" HREF="index.html"></HEAD><BODY BGCOLOR="#ffffff"><H1>[tide-tables] Rounding of low water at Hollin</H1><B>Greta Amundsen</B> <A HREF="mailto:x">greta at tides.example</A><BR><I>Tue Aug 23 14:05:51 CEST 2005</I><P><UL><LI>Previous message: <A HREF="1.html">[tide-tables] Release 1.4</A></LI><LI>Next message: <A HREF="3.html">[tide-tables] Rounding of low water at Hollin</A></LI><LI><B>Messages sorted by:</B> <a>[ date ]</a> <a>[ thread ]</a></LI></UL><HR><!--beginarticle--><PRE>${mark('Hello all,')}

${mark('the table prints 0.4 for low water at Hollin on the 19th while the gauge wrote 0.35.')}
${mark('We round half up, the hydrographic office rounds half to even, and so every second')}
${mark('five is different. Harmless at sea, but I get letters.')}

${mark('Would anybody object if I followed the office?')}

${mark('Greta')}
</PRE><!--endarticle--><HR><P><UL><LI>Previous message: <A>[tide-tables] Release 1.4</A></LI><LI>Next message: <A>[tide-tables] Rounding of low water at Hollin</A></LI></UL><hr><a>More information about the tide-tables mailing list</a><br></BODY></HTML>`,
}

const issue: ArticlePage = {
  name: 'unseen-issue-timeline',
  title: 'Scheduler drops a job when the clock is set back',
  author: 'devika-r',
  date: '2024-02-27',
  html: `<html lang="en" data-color-mode="auto"><head><title>Scheduler drops a job when the clock is set back · Issue #318 · anikarao/millrace · GitForge</title><meta property="og:title" content="Scheduler drops a job when the clock is set back · Issue #318 · anikarao/millrace"><meta property="og:site_name" content="GitForge"></head><body class="logged-out"><header class="Header-old"><a>Sign up</a><a>Pricing</a></header><main id="js-repo-pjax-container"><div class="repohead"><a>anikarao</a> / <strong><a>millrace</a></strong><ul><li><a>Code</a></li><li><a>Issues 12</a></li><li><a>Pull requests 3</a></li></ul></div><div id="show_issue" class="js-issues-results"><div id="partial-discussion-header" class="gh-header"><div class="gh-header-show"><h1 class="gh-header-title"><bdi class="js-issue-title markdown-title">Scheduler drops a job when the clock is set back</bdi> <span class="f1-light">#318</span></h1></div><div class="gh-header-meta"><span class="State State--closed">Closed</span><a class="author text-bold">devika-r</a> opened this issue <relative-time datetime="2024-02-27T06:14:00Z">Feb 27, 2024</relative-time> · 2 comments</div></div><div class="Layout-main"><div class="js-discussion">${[
    [
      'devika-r',
      'Feb 27, 2024',
      'On a laptop that came back from a plane the clock was set back by nine hours. Every job due in those hours was marked as done without having run.',
      'Expected: they run once, late. Version 2.4.1, one worker.',
    ],
    [
      'anikarao',
      'Feb 28, 2024',
      'Reproduced. We compare the wall clock where we should compare the monotonic one; the due time is only for people.',
      'A fix is on the branch, a test with a fake plane as well.',
    ],
  ]
    .map(
      ([who, when, one, two]) =>
        `<div class="TimelineItem js-comment-container"><div class="timeline-comment-group"><div class="timeline-comment-header"><h3 class="f5"><strong><a class="author">${who}</a></strong> commented <a class="Link--secondary"><relative-time datetime="2024-02-27T06:14:00Z">${when}</relative-time></a></h3></div><div class="edit-comment-hide"><table class="d-block"><tbody class="d-block"><tr class="d-block"><td class="d-block comment-body markdown-body js-comment-body"><p>${mark(one!)}</p><p>${mark(two!)}</p></td></tr></tbody></table></div></div></div>`,
    )
    .join(
      '',
    )}<div class="TimelineItem"><div class="TimelineItem-body"><a class="author">anikarao</a> closed this as completed in <a>#320</a> <relative-time datetime="2024-03-01T10:00:00Z">Mar 1, 2024</relative-time></div></div></div><div class="flash">Sign up for free to join this conversation on GitForge. Already have an account? Sign in to comment</div></div><div class="Layout-sidebar"><div>Assignees<br>No one assigned</div><div>Labels<br>bug</div></div></div></main><footer class="footer">© 2024 GitForge, Inc. Terms Privacy</footer></body></html>`,
}

export const TALK_PAGES: ArticlePage[] = [
  discourse,
  phpbb,
  vbulletin,
  exchange,
  xenforo,
  nestedTables,
  mailArchive,
  issue,
]
