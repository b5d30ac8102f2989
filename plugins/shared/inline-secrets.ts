/** Secrets that stand in a document itself, such as a product's spec, hidden from who may only look. */
import { isObject } from '#kernel'

export const HIDDEN = '[hidden]'

/** `signer` and `auth` are settings of x402's networks, and the address of a node may hold its key. */
const SECRET_NAME =
  /secret|token|passw|passphrase|mnemonic|private|(?<!o)auth(?:orization)?$|sign(?:ature|er)$|credential|cookie|(?<!public)key$/i
/** Addresses of nodes: their path often holds an API key. */
const NODE = /rpc(?:_?url)?$/i
/** Of headers, and of an upstream's query, only the names are shown: which are secret, only their reader knows. */
const HEADERS = /headers$/i
/** A reference to the environment holds no secret, unless its default is one. */
const REFERENCE = /^(?:(?:bearer|basic|token)\s+)?\$\{[A-Za-z_]\w*\}$/i
const USER_OF_URL = /(\/\/)[^/?#\s@]+@/g
/** The lookahead stops at the first word: a text of many costs in proportion to its length. */
const SECRET_OF_QUERY =
  /([?&](?=[^=&?\s]*(?:key|token|secret|password|sig))[^=&?\s]*=)(?!\$\{\w+\})[^&#\s]+/gi

/** Whether the value of this member, of a member named `parent`, is not shown. */
export function isSecretMember(name: string, parent: string): boolean {
  return (
    SECRET_NAME.test(name) || HEADERS.test(parent) || (parent === 'upstream' && name === 'query')
  )
}

/**
 * The same value with `[hidden]` in the place of secrets: of members with the names of secrets, of
 * headers, of an upstream's query, and of users and keys in URLs. `${NAME}` stays. `path` leads to the value.
 */
export function withoutSecrets(value: unknown, path: readonly string[] = []): unknown {
  const isSecret = path.some((name, at) => {
    const parent = path[at - 1] ?? ''
    // The property of a JSON schema is described by an object.
    const isDescribed = parent === 'properties' && (at < path.length - 1 || isObject(value))
    return isSecretMember(name, parent) && !isDescribed
  })
  return hide(value, path.at(-1) ?? '', isSecret)
}

function hide(value: unknown, parent: string, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => hide(one, parent, isSecret))
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const isDescribed = parent === 'properties' && isObject(one)
        return [name, hide(one, name, isSecret || (isSecretMember(name, parent) && !isDescribed))]
      }),
    )
  }
  if (typeof value === 'string') {
    if (isSecret) return REFERENCE.test(value) ? value : HIDDEN
    if (NODE.test(parent)) return withoutPath(value)
    return value.replaceAll(USER_OF_URL, `$1${HIDDEN}@`).replaceAll(SECRET_OF_QUERY, `$1${HIDDEN}`)
  }
  return isSecret && (typeof value === 'number' || typeof value === 'bigint') ? HIDDEN : value
}

/** How API keys, tokens of their format and the admin tokens that the gateway makes begin. */
const BEGINNING = /c[a-z]_(?:live|test)_[0-9A-Za-z]{12}_|coinop_admin_/.source
/**
 * These and JWTs. Letters that only begin like a JWT are matched too, as they are: one match after another
 * would look for its dot to the end of them.
 */
const CREDENTIAL = new RegExp(
  String.raw`(${BEGINNING}|eyJ[\w-]+\.)[\w-]{20,}(?:\.[\w-]+)?|eyJ(?:(?!${BEGINNING})[\w-])*`,
  'g',
)

/** The same text without the secret part of credentials, which callers put into paths by mistake. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(CREDENTIAL, (all, beginning: string | undefined) =>
    beginning === undefined ? all : beginning + HIDDEN,
  )
}

/**
 * The same value with the paths of its members named `url` hidden: who knows the address of a webhook
 * can often send to it, as in chat systems.
 */
export function withoutTargets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutTargets(one, name))
  if (value instanceof Date || !isObject(value)) {
    return name === 'url' && typeof value === 'string' ? withoutPath(value) : value
  }
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, withoutTargets(one, member)]),
  )
}

/** A URL with `[hidden]` for all that follows its host; another text as it is. */
function withoutPath(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^(?:https?|wss?):$/.test(url.protocol)) return text
  const isBare = url.pathname === '/' && url.search === '' && url.username === ''
  return isBare ? text : `${url.protocol}//${url.host}/${HIDDEN}`
}
