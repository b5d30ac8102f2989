/** The sets of facts from which a nested object may be filled. */
import { isObject } from '../harvest/json-ld.ts'
import { candidatesFor, type Field } from './candidates.ts'
import { factsOfObject, type Fact } from './facts.ts'
import { phraseOf } from './keys.ts'
import { TRIED } from './weights.ts'

export interface ObjectSource {
  facts: readonly Fact[]
  /** The object stands for the whole page, so that its lists may be those of the page. */
  isWhole: boolean
  /** Counts only where no other source fills anything. */
  isLastResort: boolean
}

/** Names that only wrap the fields of what the page is about: 'product' around name and price. */
const WRAPPER =
  /^(?:product|article|event|job|job posting|recipe|page|item|book|movie|post|details?|data|info|information|metadata|meta|result|listing|company|person|place|business|webpage|main|entity|specs?|specifications|attributes|properties|offer|offers)$/
/** Facts about the page, which are none of an object in it. */
const OF_PAGE = ['name', 'title', 'description', 'url', 'image', 'type']

export function* objectSources({ name, facts, isRoot }: Field): Generator<ObjectSource> {
  const key = phraseOf(name)
  const own = { isWhole: false, isLastResort: false }
  for (const { fact } of candidatesFor(key, facts).slice(0, TRIED.objects)) {
    const target = Array.isArray(fact.value) ? fact.value.find(isObject) : fact.value
    if (isObject(target)) yield { ...own, facts: factsOfObject(target, fact.path, fact.trust) }
    else if (typeof target === 'string') yield { ...own, facts: [{ ...fact, key: 'name' }] }
  }
  const prefixed = facts
    .filter((fact) => fact.key.startsWith(`${key} `))
    .map((fact) => ({ ...fact, key: fact.key.slice(key.length + 1) }))
  if (prefixed.length > 0) yield { ...own, facts: prefixed }
  if (WRAPPER.test(key)) yield { facts, isWhole: isRoot, isLastResort: false }
  else {
    const others = facts.filter((fact) => !OF_PAGE.includes(fact.key))
    yield { facts: others, isWhole: false, isLastResort: true }
  }
}
