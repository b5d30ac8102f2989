/** Layout names (class and id) of what surrounds an article, in the languages of many sites. */

/** Banners that ask for consent; they may hold more text than the page. */
export const CONSENT_NAMES: readonly string[] = String.raw`
  consent cookies? cookie-?\w+ gdpr ccpa cmp cmp-?\w+ onetrust-?\w* didomi-?\w* qc-?cmp\d?-?\w*
  sp_message\w* truste\w* usercentrics-?\w* cookiebot\w* cybotcookiebot\w* privacy-?(?:banner|wall|manager|dialog)
  fc-?\w+ dialog modal popup overlay
`
  .trim()
  .split(/\s+/)

/** Each word a pattern for one name between spaces, hyphens or underscores. */
export const FURNITURE_NAMES: readonly string[] = String.raw`
  comments? comment-?list comments-?area comment-?form respond disqus(?:_thread)?
  related related-?\w* recommend(?:ed|ations?)? recirc\w* read-?(?:more|next|also)
  more-?(?:stories|news|articles|from|on) also-?like you-?may-?like
  most-?(?:read|popular|viewed) trending popular(?:-?posts)? outbrain taboola zergnet
  share shar(?:e|ing)-?\w* social(?:-?\w*) sharedaddy addthis\w* follow-?us
  newsletters? inread suscri\w* abonn\w* boletin publicid\w* publicit\w* werbung
  anzeigen? kommentare? comentarios? commentaires? compartir partager teilen delen
  saiba-?mais leia-?mais veja-?(?:mais|tambem) lire-?aussi lees-?ook
  subscri(?:be|ption)\w* sign-?up mailing-?list promo(?:tion)?s? promo-?box advert\w*
  ads? adsense ad-?(?:slot|unit|container|wrapper|box) sponsored? breadcrumbs?
  pagination pager page-?nav post-?navigation nav(?:bar|igation)? menu sidebar
  side-?bar footer site-?footer masthead site-?header page-?header toolbar cookies?
  cookie-?\w+ consent gdpr popup modal overlay login captions? wp-caption-text
  image-?caption photo-?caption media-?caption caption-?text credits? photo-?credit
  image-?credit author-?(?:bio|box|info|card|description|profile)
  about-?(?:the-?)?author bio tags? tag-?list tagcloud post-?tags entry-?tags
  categories topics keywords visually-?hidden sr-only screen-?reader(?:-?text)?
  skip-?link print-?(?:only|button) hidden-?print no-?print jp-relatedposts widgets?
  widget-?area feedback rating-?form poll quiz toc table-?of-?contents jump-?links
  disclaimer copyright legal paywall teaser-?list story-?tools article-?tools
  utility-?bar byline post-?meta entry-?meta article-?meta meta-?data dateline-?date
  timestamp published-?date post-?date posted-?on reading-?time read-?time
  correction-?link pullquote pull-?quote navbox mw-editsection reflist references
  infobox hatnote noprint kicker dachzeile eyebrow overline antetitulo volanta surtitre
  occhiello roofline img-?desc\w* photo-?desc\w* image-?desc\w* disclosure affiliate-?\w*
  stopka fu(?:ss|ß)zeile rodape headerlink
`
  .trim()
  .split(/\s+/)
