/**
 * Facts that sentences say: "The total is $1,250", "Invoice number INV-77", "What is the fee? $20". Only
 * values that their form shows (amounts, dates, codes, addresses, names) count: words about something
 * are no value of it.
 */
import { isKnownPhrase, phraseOf } from './keys.ts'
import type { Fact } from './facts.ts'
import { TRUST } from './weights.ts'

const SENTENCES_MAX = 4000
const FACTS_MAX = 1000
const SENTENCE_CHARACTERS = 400

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{N}'’/-]*`
/** "total", "annual revenue", "price of the large table": what it is of does not name the value. */
const LABEL = String.raw`(?<label>${WORD}(?: ${WORD}){0,3}?)(?: (?:of|for|on) (?<of>(?:(?:the|this|our|your|a|an) )?${WORD}(?: ${WORD}){0,3}?))?`
const START = String.raw`(?:^|[,;:(] ?|(?:and|with|the|our|your|its|their|this|a|an) )(?:and )?(?:the |our |your |its |their |this |a |an )?`
const VERB = String.raw`(?:is|was|are|were|will be|has been|comes to|amounts to|amounted to|totals|totalled|equals|=)(?: now| currently| only| just| about| around| approximately| exactly| set at| set for| estimated at)?`
const SAID = new RegExp(`${START}${LABEL} (?<verb>${VERB}) (?<rest>\\S.*)`, 'iu')
/** A pair in the middle of a line: "Paid in full. Due date: 5 May 2024." */
const PAIR = new RegExp(`^${LABEL}: (?<rest>\\S.*)`, 'iu')
const BESIDE = new RegExp(
  `(?:^|[,;(] ?|and )(?<label>${WORD}(?: ${WORD}){0,3}?)(?: of)? (?<rest>(?:[$€£¥₹₦#]|[A-Z]{0,5}[-/]?\\d).*)`,
  'u',
)

const AMOUNT =
  /^(?:(?:US|A|C|HK|NZ|S|R)?[$€£¥₹₦₽₺₩]|[A-Z]{3}|KSh\.?|Rs\.?)?\s?[-+−]?\d[\d.,'’]*\d?(?:\s?(?:%|°[CF]?|[$€£¥₹]|(?!(?:and|or|but|for|in|on|at|with|as|if|when|which|that|to|by|from|of|per|plus|less|than|is|was|the|this)\b)[\p{L}]{1,14}\b))?/u
const MONTH = String.raw`\p{Lu}\p{L}{2,10}\.?`
const DATE = new RegExp(
  `^(?:on )?(\\d{4}-\\d\\d-\\d\\d(?:T[\\d:.Z+-]+)?|\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?${MONTH},? \\d{4}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`,
  'u',
)
const ADDRESS = /^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/[^\s,;)]+)/u
const CODE =
  /^(?=[^\s]*\d)#?[A-Z0-9][\p{L}\p{N}]*(?:[-/_.:][\p{L}\p{N}]+)+(?=[\s.,;)!?]|$)|^(?=\S*\d)[A-Z]{1,6}\d[A-Z\d]*(?=[\s.,;)!?]|$)/u
const NAME =
  /^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?\p{Lu}[\p{L}'’-]+(?: (?:(?:de|van|von|der|den|da|di|la|le|bin|al|del) )*\p{Lu}[\p{L}.'’-]*){1,3}(?=[\s.,;)!?]|$)/u

/** A bound of a range, or a difference from something else: "5-7 kg", "20 % higher", "5 years ago". */
const RELATIVE = new RegExp(
  String.raw`^[^\s\d]{0,4}[-+−]?\d[\d.,]*(?:\s?(?:%|°[CF]?|\p{L}+))?\s?(?:` +
    String.raw`(?:[-–—] ?|to )[$€£¥₹]\d|to \d|[-–—] ?\d[\d.,]*(?:\s?[%°]|\s\p{L})|` +
    String.raw`(?:times|less|more|fewer|higher|lower|larger|smaller|older|younger|longer|shorter|` +
    String.raw`faster|slower|cheaper|off|ago|out of|too)(?!\p{L}))`,
  'u',
)
/** What was once is not said of today where the sentence goes on to it. */
const PAST = /^(?:was|were|totalled|amounted to) ?/i
const ANOTHER_TIME =
  /\b(?:now|today|currently|since then|previously|formerly|used to|last (?:week|month|quarter|year))\b/i

/** Subjects that stand for something else. */
const PRONOUN =
  /^(?:it|there|this|that|these|those|he|she|who|which|what|they|we|here|one|i|you|some|all|each|most|both|none|everything|today|tomorrow|yesterday)$/i
/** What a number may stand beside without a verb. */
const COUNTED =
  /\b(?:number|no|nr|id|code|total|amount|due|price|fee|fees|balance|tax|vat|discount|subtotal|cost|deposit|rent|salary|weight|height|width|length|version|rating|capacity|isbn|sku)$/i

/** The part of a text that is a value by its form; null where it begins with none. */
function valueIn(rest: string): string | null {
  const text = rest.trimStart()
  const dated = DATE.exec(text)?.[1] ?? ADDRESS.exec(text)?.[0]
  if (dated === undefined && RELATIVE.test(text)) return null
  const found = dated ?? CODE.exec(text)?.[0] ?? AMOUNT.exec(text)?.[0] ?? NAME.exec(text)?.[0]
  const value = found?.replace(/[\s.,;:]+$/, '')
  return value === undefined || value === '' ? null : value
}

/** A sentence ends at its mark, unless a number or an abbreviation goes on. */
const sentencesOf = (text: string): string[] =>
  text
    .split(/\r?\n+|(?<=[.!?;])\s+(?=[\p{Lu}"“'(])/u)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, SENTENCES_MAX)

const QUESTION =
  /^(?:q[:.] ?)?(?:what(?:['’]s| is| are| was)|when(?:['’]s| is| was)|who(?:['’]s| is| was)|how much(?: is| are| was)) (?:the |your |our |its )?([\p{L}\p{N}][\p{L}\p{N} '’-]{1,40}?)\?$/iu
const COSTS = /^how much (?:does|do|will|would) .{1,60} cost\?$/i

/** The name that a question asks for; null: another kind of question. */
function askedBy(line: string): string | null {
  const said = QUESTION.exec(line)?.[1]?.replace(/ (?:of|for|in) .*$/i, '')
  return said ?? (COSTS.test(line) ? 'price' : null)
}

/** Facts of running text, less trusted than labels; `path` names the place they are said to come from. */
export function proseFacts(text: string, path = 'text'): Fact[] {
  const facts: (Fact & { of: string | undefined })[] = []
  const add = (label: string, value: string | null, of?: string): void => {
    const key = phraseOf(label)
    if (value === null || key === '' || PRONOUN.test(label) || facts.length >= FACTS_MAX) return
    facts.push({ key, value, path: `${path}:${key}`, trust: TRUST.prose, of })
  }
  const sentences = sentencesOf(text)
  sentences.forEach((sentence, index) => {
    const line = sentence.slice(0, SENTENCE_CHARACTERS).replaceAll(/\s+/g, ' ')
    const asked = askedBy(line)
    if (asked !== null) {
      const answer = (sentences[index + 1] ?? '').replace(/^a[:.] ?/i, '')
      return add(asked, valueIn(answer) ?? valueIn(answer.replace(/^.*? (?:is|costs|was) /i, '')))
    }
    if (!/\p{N}|\p{Lu}/u.test(line)) return
    for (const clause of clausesOf(line)) {
      const pair = PAIR.exec(clause)?.groups
      const paired = pair ? valueIn(pair['rest']!) : null
      if (pair && paired !== null) {
        add(pair['label']!, paired, pair['of'])
        continue
      }
      const said = SAID.exec(clause)?.groups
      const isPast = said !== undefined && PAST.test(said['verb']!) && ANOTHER_TIME.test(line)
      const value = said && !isPast ? valueIn(said['rest']!) : null
      if (said) add(said['label']!, value, said['of'])
      const beside = value === null ? BESIDE.exec(clause)?.groups : undefined
      const label = beside?.['label'] ?? ''
      if (beside && (COUNTED.test(label) || isKnownPhrase(phraseOf(label))))
        add(label, valueIn(beside['rest']!))
    }
  })
  return withoutSeveral(facts)
}

/** Facts without those that the text says of several things: "the price of A is $3, that of B $4". */
function withoutSeveral(facts: readonly (Fact & { of: string | undefined })[]): Fact[] {
  const byKey = Map.groupBy(facts, ({ key }) => key)
  const isOne = ({ key, value, of }: (typeof facts)[number]): boolean =>
    of === undefined || byKey.get(key)!.every((other) => other.of === of || other.value === value)
  return facts.filter(isOne).map(({ key, value, path, trust }) => ({ key, value, path, trust }))
}

/** Parts that say something of their own: "the fee is $20 and the deposit is $5". */
const clausesOf = (line: string): string[] =>
  line.split(/[,;]? (?:and|but|while|whereas|with) (?=\p{L})|[,;] (?=\p{L})/u)
