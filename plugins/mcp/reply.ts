/**
 * Results as JSON text. Lists are the same for everybody until the catalog changes and tool outputs
 * arrive as text, so results are put together from text instead of being stringified again.
 */
import { META, type Era, type RpcError, type RpcId } from './protocol.ts'

/** The JSON text of a `result`. */
export class Reply {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Who answers, as `serverInfo` names it. */
export interface ServerInfo {
  name: string
  title: string
  version: string
  websiteUrl: string
  icons?: readonly { src: string }[]
}

/** How long a client may keep a list (2026-07-28 `ttlMs`); a new product shows after it at the latest. */
const LIST_TTL_MS = 60_000
const CACHED = `"ttlMs":${LIST_TTL_MS},"cacheScope":"public",`

export interface ReplyParts {
  era: Era
  info: ServerInfo
  /** JSON members of the result, without braces; not empty. */
  members: string
  /** Of the modern era; default 'complete'. */
  resultType?: string
  /** Lists and resources: the modern era says how long they may be kept. */
  cacheable?: boolean
  /** JSON members of `_meta`, without braces. */
  meta?: string
}

/** A finished result; the modern era adds its type and who answered. */
export function reply(parts: ReplyParts): Reply {
  const { era, info, members, cacheable, meta = '', resultType = 'complete' } = parts
  if (era === 'legacy')
    return new Reply(meta === '' ? `{${members}}` : `{${members},"_meta":{${meta}}}`)
  const server = `"${META.serverInfo}":${JSON.stringify(info)}`
  return new Reply(
    `{"resultType":"${resultType}",${cacheable ? CACHED : ''}${members},"_meta":{${meta === '' ? server : `${meta},${server}`}}}`,
  )
}

/** JSON members of an object, without its braces. */
export function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}

/** The JSON text of a whole response message. */
export function responseText(id: RpcId | null, outcome: Reply | RpcError): string {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  return outcome instanceof Reply
    ? `${head}"result":${outcome.text}}`
    : `${head}"error":${JSON.stringify(outcome)}}`
}
