/** A fact: something the input says under a name, with where it was found. */
import type { Thing } from '../harvest/harvest.ts'
import { bodyText } from '../harvest/body-text.ts'
import { isObject, type JsonObject } from '../harvest/json-ld.ts'
import { phraseOf } from './keys.ts'
import { TRUST } from './weights.ts'

export interface Fact {
  /** Phrase (see keys.ts) it goes by. */
  key: string
  value: unknown
  /** 'json_ld[0].offers.price', 'table[1].rows[2]', 'label:Weight'. */
  path: string
  /** How far its kind of source is trusted, 0..100 (TRUST in weights.ts). */
  trust: number
  /** Written by a machine for machines: '1.299' is less than two. */
  isMachine?: boolean
}

/** Names that say nothing without what they belong to. */
const VAGUE = new Set(
  'name url id type description image text value unit text title headline same as main entity of page date created date'
    .split(' ')
    .concat(['unit text', 'same as']),
)
const SKIPPED =
  /^@(?:context|type|id|graph)$|^(?:itemListOrder|potentialAction|mainEntityOfPage|isPartOf|breadcrumb)$/
const DEPTH_MAX = 6
const FACTS_MAX = 20_000

/** The facts of an object, its own names first, deeper ones under 'parent name' as well. */
export function factsOfObject(object: JsonObject, path: string, trust: number): Fact[] {
  const facts: Fact[] = []
  const visit = (
    given: unknown,
    key: string,
    at: string,
    depth: number,
    parents: readonly string[],
  ): void => {
    if (facts.length > FACTS_MAX || depth > DEPTH_MAX || given === null || given === undefined)
      return
    const value = typeof given === 'string' ? bodyText(given) : given
    const phrase = phraseOf(key)
    const parent = parents.at(-1)
    const own = trust - depth * TRUST.things.lessPerDepth
    if (depth === 0 || !VAGUE.has(phrase))
      facts.push({ key: phrase, value, path: at, trust: own, isMachine: true })
    if (parent) {
      facts.push({ key: `${parent} ${phrase}`, value, path: at, trust: own, isMachine: true })
      if (depth > 1 && parents.length > 1)
        facts.push({
          key: `${parents.at(-2)} ${phrase}`,
          value,
          path: at,
          trust: own - TRUST.things.lessByGrandparent,
          isMachine: true,
        })
    }
    if (isObject(value)) {
      for (const [name, one] of Object.entries(value)) {
        if (!SKIPPED.test(name)) visit(one, name, `${at}.${name}`, depth + 1, [...parents, phrase])
      }
    } else if (Array.isArray(value)) {
      const first = value.find(isObject)
      if (first) {
        for (const [name, one] of Object.entries(first)) {
          if (!SKIPPED.test(name))
            visit(one, name, `${at}[${value.indexOf(first)}].${name}`, depth + 1, [
              ...parents,
              phrase,
            ])
        }
      }
      if (value.some(isObject)) namedPairs(value, at, own - TRUST.things.lessPerDepth, facts)
    }
  }
  for (const [name, value] of Object.entries(object)) {
    if (!SKIPPED.test(name)) visit(value, name, `${path}.${name}`, 0, [])
  }
  return facts
}

/** PropertyValue lists: {name: 'Weight', value: '2 kg'} is a fact called weight. */
function namedPairs(list: readonly unknown[], at: string, trust: number, facts: Fact[]): void {
  list.forEach((one, index) => {
    if (!isObject(one) || typeof one.name !== 'string' || one.value === undefined) return
    facts.push({
      key: phraseOf(one.name),
      value: one.value,
      path: `${at}[${index}].value`,
      trust,
      isMachine: true,
    })
  })
}

/** The facts of described things; the first is what the page is about. */
export function factsOfThings(things: readonly Thing[]): Fact[] {
  return things.slice(0, 60).flatMap((thing, index) => {
    const { first, lessPerPlace, least } = TRUST.things
    const trust = Math.max(least, first - index * lessPerPlace)
    const facts = factsOfObject(thing.value, thing.path, trust)
    // What JobPosting calls its title is the job's.
    if (thing.types.includes('JobPosting') && thing.value.title)
      facts.push({
        key: 'job title',
        value: thing.value.title,
        path: `${thing.path}.title`,
        trust,
        isMachine: true,
      })
    if (index === 0 || thing.types.length === 0) return facts
    // 'name' of the site or of a breadcrumb is not the name of what the page is about.
    const types = thing.types.map(phraseOf)
    return facts.map((fact) =>
      VAGUE.has(fact.key) ? { ...fact, key: `${types[0]} ${fact.key}` } : fact,
    )
  })
}
