/** What an imported API asks for as credentials, and where the product names them. */
import { isObject } from '#kernel'
import type { Json } from './terms.ts'

/**
 * One line for each way to sign in that operations name, and for each of the header parameters
 * `inHeaders` that is one: the gateway must do it for its callers.
 */
export function credentialLines(
  document: Json,
  productId: string,
  inHeaders: Iterable<string>,
): string[] {
  const schemes = schemesOf(document)
  const named = [...namedSchemes(document)].filter((name) => isObject(schemes[name]))
  const headers = new Set(named.map((name) => headerOf(schemes[name])?.toLowerCase()))
  const others = [...inHeaders].filter((name) => !headers.has(name.toLowerCase()))
  return [
    ...named.map((name): [string, Json] => [name, schemes[name] as Json]),
    ...others.map((name): [string, Json] => [name, { type: 'apiKey', in: 'header', name }]),
  ].map(([name, scheme]) => `the credentials ${name}: ${instruction(scheme, productId)}`)
}

/** Names of headers in which frameworks have credentials that their documents show as parameters. */
const LOOKS_LIKE_ONE =
  /api[-_]?key$|auth(?:entication|orization)?$|(?:^x|auth|access|api|bearer|security|session)[-_]?token$|secret|password/i

/** Whether a header parameter is a credential of the API: that of a way to sign in, or by its name. */
export function isCredentialHeader(document: Json, name: string): boolean {
  const ofSchemes = Object.values(schemesOf(document)).map(headerOf)
  const isNamed = ofSchemes.some((one) => one?.toLowerCase() === name.toLowerCase())
  return isNamed || LOOKS_LIKE_ONE.test(name)
}

function schemesOf(document: Json): Json {
  const components = isObject(document['components']) ? document['components'] : {}
  return isObject(components['securitySchemes']) ? components['securitySchemes'] : {}
}

/** The header of a way to sign in; null for one without. */
function headerOf(scheme: unknown): string | null {
  if (!isObject(scheme)) return null
  const { type, in: place, name } = scheme
  if (type !== 'apiKey') return type === 'mutualTLS' ? null : 'Authorization'
  return place === 'header' ? String(name) : null
}

/** The schemes that the document or an operation requires. */
function namedSchemes(document: Json): Set<string> {
  const names = new Set<string>()
  const add = (requirements: unknown): void => {
    if (!Array.isArray(requirements)) return
    for (const one of requirements)
      if (isObject(one)) for (const name of Object.keys(one)) names.add(name)
  }
  add(document['security'])
  for (const item of Object.values(document['paths'] as Json))
    if (isObject(item))
      for (const operation of Object.values(item))
        if (isObject(operation)) add(operation['security'])
  return names
}

function instruction(scheme: Json, productId: string): string {
  const variable = `\${PRODUCT_${productId.toUpperCase().replaceAll('-', '_')}_TOKEN}`
  const added = (place: string, name: string, value: string): string =>
    `if calls need them, add to upstream: ${place}: { ${name}: "${value}" }`
  const { type, in: place, name, scheme: kind } = scheme
  if (type === 'apiKey' && place === 'query') return added('query', quoted(name), variable)
  if (type === 'apiKey' && place === 'cookie')
    return added('headers', 'Cookie', `${String(name)}=${variable}`)
  if (type === 'apiKey') return added('headers', String(name), variable)
  if (type === 'mutualTLS') return 'the gateway has no client certificates'
  const isOther = type === 'http' && String(kind).toLowerCase() !== 'bearer'
  const word = isOther ? String(kind).replace(/^[a-z]/, (first) => first.toUpperCase()) : 'Bearer'
  return added('headers', 'Authorization', `${word} ${variable}`)
}

/** The name of a member of a query, which may be any text, as a key of YAML. */
function quoted(name: unknown): string {
  return /^[\w-]+$/.test(String(name)) ? String(name) : JSON.stringify(name)
}
