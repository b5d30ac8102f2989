/** Names of people in a byline, cleaned of what stands around them. */
import { squeeze, stripMarkup } from '../dom/tree.ts'
import { words } from './phrases.ts'

const NAME_MAX = 60
/** Words that introduce an author, as they stand before a name without a colon. */
const BY_WORD =
  '(?:(?:article|story|words?|text|post(?:ed)?|written|reported|reviewed|authored|created|submitted|published|contributed|edited|interview|review|analysis|opinion)\\s+(?:by|von|par)|(?:escrito|publicado|redactado|postado|scritto|pubblicato|écrit|publié|rédigé|propos recueillis|geschreven|geplaatst|verfasst|geschrieben|skrevet|skrivet)\\s+(?:por|da|di|par|door|von|av|af)|by|von|par|por|di|da|door|av|af|oleh|bởi)'
/** The same where only a colon makes them one. */
const BY_LABEL =
  '(?:by|authors?|writers?|written by|posted by|words|text|interview|reporter|von|autor(?:en|es|a|ka|zy|ia)?|auteurs?|autore|autori|redakteur(?:in)?|rédaction|texte|texto|testo|tekst|teksti|opracowanie|opracowała?|oprac\\.|napisała?|napsala?|připravila?|bericht|reportage|texto y fotos?|text und fotos?|texte et photos?|testo e foto|kirjoittanut|escrito por|scritto da|écrit par|door|av|af|írta|szerző|yazar|yazan|oleh|penulis|tác giả|автор(?:ы|ка)?|текст|συντάκτης|בקלם|מאת|بقلم|الكاتب|كتبت?|إعداد|تحرير|تقرير|حوار|लेखक|作者|撰文|文|记者|記者|글)'
const BY = new RegExp(
  `^(?:${BY_WORD}\\s+|${BY_LABEL}\\s*[:：/]\\s*|(?:بقلم|מאת|作者|撰文|记者|記者)\\s+)`,
  'iu',
)
const ROLE_WORD =
  'editor|editors|reporters?|correspondents?|writers?|columnists?|contributors?|journalists?|producers?|authors?|staff|critics?|analysts?|director|professor|fellow|founder|ceo|cto|bureau|desk|team|redaktion|redakteur\\w*|redacción|rédaction|journalistes?|korrespondent\\w*|corresponsal|correspondante?|редакция|корреспондент'
const ROLE = new RegExp(
  `\\s*(?:,|\\||[-–—•·]|\\(|/)\\s*(?:(?:[\\p{L}'’&-]+\\s+){0,4}(?:${ROLE_WORD}|reuters|bloomberg|ap|afp|dpa|associated press|news|times|post|md|ph\\.?d\\.?)(?![\\p{L}]).*)$`,
  'iu',
)
/** A text that is a role or an office and nobody's name. */
const ONLY_ROLE = new RegExp(
  `(?:^|\\s)(?:${ROLE_WORD}|followers?|reading|read|min|minutes?|comments?|views?|shares?)\\.?$`,
  'iu',
)
const NOT_NAME =
  /^(?:admin(?:istrator)?|staff|editor|editors|editorial(?: team| staff)?|guest|user|anonymous|unknown|author|authors|web ?master|root|none|null|undefined|n\/a|default|contributor|view all posts|more|read more|follow|share|email|twitter|facebook|website|bio|profile|posts|reply|comments?|home|about|contact|about the author|super ?user)$/i
/** Buttons and links beside a headline: 'Share this', 'Follow us on Facebook', 'Read more'. */
const INVITATION =
  /^(?:(?:share|follow|subscribe|read|sign|log|click|print|save|listen|watch|leave|join|like|send|copy|view|see|show|tap)(?:\s+(?:this|us|me|it|on|via|with|by|more|now|here|to|up|in|out|all|an?|the|your|our|article|story|post|page|link|facebook|twitter|x|linkedin|whatsapp|reddit|email|e-mail|comments?|newsletter|profile|bio))+|(?:artikel |beitrag )?teilen|(?:partager|compartir|condividi(?:lo)?|compartilhar|udostępnij|delen|del artikkelen|поделиться|分享|共有)(?:\s.*)?)$/iu
/** What stands in an author's place where there is none, in whole or with 'yet' or 'author' beside it. */
const NOBODY = new RegExp(
  `^(?:(?:the |an? )?authors? )?(?:(?:is |are )?(?:not (?:yet )?|un)(?:known|specified|available|given|provided|listed|named|set|assigned|disclosed|stated)|(?:to be|tb[acd]\\b)(?: (?:announced|confirmed|decided|determined|defined|added|named))?|no (?:author|name|one|byline)s?|(?:various|multiple|several) (?:authors?|writers?|contributors?)|(?:your|author|user|full|first|last|display|real) ?name|name here|coming soon|unbekannte?r?|desconocid[oa]|inconnue?|sconosciut[oa]|onbekend|neznámý|nieznany|ukjent|ukendt|okänd|tuntematon|ismeretlen|неизвест\\p{L}+|不明|佚名|未知|غير معروف)(?:,? (?:authors?|yet|so far|at this time))?[.!]?$`,
  'iu',
)

/** Whether a text in an author's place says that nobody is known. */
const namesNobody = (text: string): boolean => NOBODY.test(text.trim())

/** A label that is not an author's, as in 'Category: Chess'. */
const OTHER_LABEL = /^[\p{L}][\p{L} ]{1,24}[:：]/u
const DATE_IN =
  /\s*(?:[|•·,–—-]\s*)?(?:(?:on|updated|published|posted|am|le|el|il)\b[\s:]*)?(?:\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|\d{4}-\d{2}-\d{2}|\d{4}年|(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?,?\s*)?(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d).*$/i
const PARTICLES = new Set(
  'de del della di da das dos do du des van von der den ter ten la le el al bin ibn bint y e zu zum af av dalla'.split(
    ' ',
  ),
)
/** Words that names are not made of; a line that holds one is a heading or a menu. */
const COMMON = new Set(
  'news breaking sport sports politics opinion review reviews home world business read share subscribe sign log login follow photo photos video videos getty image images press times daily weekly monthly monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december update updated live more menu search contact about privacy terms cookie cookies print email comments advertisement story stories article articles the in of for to and with on at my our your how what why top best free download close open back next previous page post posts blog category categories tags tag archive archives recent popular related trending latest local national international money culture lifestyle travel food health science technology tech entertainment music games magazine newsletter podcast special report feature features interview analysis exclusive sponsored edition english deutsch français español transcript abstract introduction summary contents table chapter part section step published source editor staff ab inc ltd llc gmbh ag sa plc corp company group university ministry institute agency association council department office society foundation board directorate authority committee commission federation union parliament government museum library theatre network bank hotel street road avenue city lake river mount island park county state republic street'.split(
    ' ',
  ),
)

export const startsWithBy = (text: string): boolean => BY.test(text)

/** Whether a short text reads as the name of one person, by its form alone. */
export function looksLikeName(text: string): boolean {
  if (text.length > 40 || /[\d:;!?/@#%&*+=<>"“”„«»()[\]{}…]/.test(text)) return false
  if (namesNobody(text)) return false
  const parts = text.split(' ')
  const real = parts.filter((part) => !PARTICLES.has(part.toLowerCase()))
  if (real.length < 2 || parts.length > 5) return false
  return (
    real.every((part) => /^\p{Lu}[\p{L}.'’-]*$/u.test(part)) &&
    real.some((part) => part.length > 2) &&
    !parts.some((part) => COMMON.has(part.toLowerCase()))
  )
}

/** A name under which somebody signs up: one word, with a digit or a sign in it. */
export const isHandle = (text: string): boolean =>
  /^@?(?=\S*[\d_-])\p{L}[\p{L}\d_.-]{2,30}$/u.test(text) && !/^[\d.,_-]+$/.test(text)

/** One name of a list of them, or null when it is none. */
function cleaned(part: string): string | null {
  const name = part
    .replace(BY, '')
    .replace(/^(?:author|autor(?:in)?|auteur|writer)\s+(?=\p{Lu}\p{L}+\s+\p{Lu})/iu, '')
    .replace(ROLE, '')
    .replace(/\s*(?:기자|특파원|記者|记者|編集委員|さん)\s*$/u, '')
    .replace(/(?<=\p{L})[\d¹²³⁴⁵*†‡]+(?:,[\d¹²³⁴⁵*†‡]+)*$/u, '')
    .replaceAll(/^[\s.:|•·–—*-]+|[\s:|•·–—*-]+$/g, '')
  const isName =
    name !== '' &&
    name.length <= NAME_MAX &&
    words(name).length <= 6 &&
    !/[\d_={}<>]/.test(name) &&
    !NOT_NAME.test(name) &&
    !INVITATION.test(name) &&
    !namesNobody(name) &&
    !ONLY_ROLE.test(name)
  return isName ? name : null
}

/** The names in one line. */
function namesOfLine(line: string): string[] {
  let text = squeeze(line).replace(/^[\s|•·–—-]+/, '')
  for (let round = 0; round < 2; round += 1) text = text.replace(BY, '')
  text = text
    .replace(DATE_IN, '')
    .replaceAll(/\S+@\S+|https?:\S+|@\w+/g, '')
    .replaceAll(/\s*\([^)]*\)/g, '')
    .replace(/\s+(?:for|in|at|from)\s+(?:the\s+)?\p{Lu}.*$/u, '')
    .replace(
      /\s+(?:follow|published|updated|posted|share|view|is an?|was an?|has been|covers|writes)\b.*$/i,
      '',
    )
  text = text.replace(
    /[;,]?\s+(?:and\s+)?(?:photo(?:s|graphs?|graphy|grapher)?|pictures?|images?|illustrat\w+|video|graphics?|edit(?:ed|ing)|produced|fotos?|translated|additional)\b.*$/iu,
    '',
  )
  const names: string[] = []
  for (const part of text
    .replace(ROLE, '')
    .split(
      /\s*(?:,|;|\||\/|\band\b|&|\bund\b|\bet\b|\by\b|\bwith\b|\be\b|\boch\b|\bog\b|\ben\b|(?<=\s)и(?=\s)|\bi\b(?=\s\p{Lu})|、|，)\s*/u,
    )) {
    if (/^(?:jr|sr|md|phd|dr|esq|ii|iii)\.?$/i.test(part.trim()) && names.length > 0)
      names.push(`${names.pop()!}, ${part.trim()}`)
    else {
      const name = cleaned(part)
      if (name !== null && !names.includes(name)) names.push(name)
    }
  }
  return withoutAffiliations(names)
}

/** Endings of names of papers, agencies and stations. */
const OUTLET =
  /(?:신문|일보|뉴스|방송|타임스|新聞|新闻|日报|日報|晚报|时报|時報|通讯社|通信社|网|網|テレビ|news|times|post|herald|tribune|gazette|courier|bote|zeitung|anzeiger|nachrichten|tageblatt|kurier|redaktion|redaction|rédaction|redacción|redazione)$/iu

/** Whether a byline names a paper or its desk and not a person. */
export const isOutlet = (name: string): boolean => OUTLET.test(name.trim())

const INSTITUTION =
  /\b(?:university|institute|college|school|universit\p{L}*|institut\p{L}*|hochschule|agency|news|press|ministry|department|laborator\p{L}*|hospital|foundation|association)\b/iu

/** 'Jane Doe, CNN' and 'Jane Doe, University of X' name one person. */
function withoutAffiliations(names: readonly string[]): string[] {
  const [first, ...rest] = names
  if (first === undefined || words(first).length < 2 || INSTITUTION.test(first)) return [...names]
  return [first, ...rest.filter((name) => name.includes(' ') && !INSTITUTION.test(name))]
}

/** More is no byline; the patterns for names go through a text without spaces from each of its letters. */
const BYLINE_MAX = 2000

/**
 * The single names of a byline, cleaned; empty when it names nobody. Of several lines or parts
 * between bars the first that is introduced as an author's counts, else the first that names one.
 */
export function namesOf(byline: string): string[] {
  const said = byline.slice(0, BYLINE_MAX)
  const lines = (said.includes('<') || said.includes('&') ? stripMarkup(said) : said)
    .split(/\n|\s[|•·]\s|\u3000/)
    .map(squeeze)
    .filter((line) => line !== '')
  const introduced = lines.findIndex((line) => BY.test(line) && line.replace(BY, '') !== '')
  const alone = lines.findIndex((line) =>
    new RegExp(`^(?:${BY_WORD}|${BY_LABEL})\\s*[:：]?$`, 'iu').test(line),
  )
  const ordered = [
    ...(introduced >= 0 ? [lines[introduced]!] : []),
    ...(alone >= 0 && lines[alone + 1] ? [lines[alone + 1]!] : []),
    ...lines.filter((line) => !OTHER_LABEL.test(line)),
  ]
  for (const line of ordered) {
    const isRole = ONLY_ROLE.test(line.replace(ROLE, '')) && !BY.test(line)
    const names = isRole ? [] : namesOfLine(line)
    if (names.length > 0) return names
  }
  return []
}

/** 'Doe, Jane' as citation tags write it, turned round. */
export function turned(name: string): string {
  const match = /^([^,]+),\s*([^,]+)$/.exec(name)
  return match && words(match[1]!).length <= 2 && words(match[2]!).length <= 3
    ? `${match[2]} ${match[1]}`
    : name
}
