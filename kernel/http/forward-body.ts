/** The request of a forwarding skill: the body streams, and its first MiB identifies a retry. */
import { GatewayError, invalid, type Failure } from '../errors.ts'
import type { ReadOutcome } from '../metering/call.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import { fingerprintOf } from '../schema/json-pieces.ts'
import type { HttpParts, Skill } from '../plugins/skill.ts'
import { isObject, readJson, type ReadLongJson, compileSchema } from '../schema/json.ts'
import {
  brokenOff,
  fromPath,
  fromQuery,
  knownMembers,
  propertiesOf,
  readPaced,
  readShort,
  tooLarge,
  tooSlow,
} from './body.ts'
import { type Incoming, withoutCredentials } from './incoming.ts'
import { resumed } from '../net/resumed-stream.ts'

/** The part of a body that is buffered and, with its length, identifies a retry. */
const FINGERPRINT_BYTES = 1_048_576

/** Blanks, byte order marks and the other half of a character of UTF-16. */
const BEFORE_OBJECT = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff])

type Body = ReadableStream<Uint8Array>

/** The target of a request to a forwarding skill, and how to read its body. */
export interface Forwarding {
  /** Below the product's base path. */
  subPath: string
  /** It has an Idempotency-Key or a payment, so the body is part of what identifies a retry. */
  isBound: boolean
  /** The body if it was read before, else null. */
  bytes: Uint8Array<ArrayBuffer> | null
  /** Checks a JSON body; null if it is valid. Absent if no schema was declared. */
  check?(body: Uint8Array): Promise<Failure | null>
}

/**
 * The request as a forwarding skill streams it. If it is bound or checked, the body's first MiB is
 * read before it is forwarded; otherwise it is streamed at once.
 */
export async function readForward(
  mounted: MountedSkill,
  incoming: Incoming,
  { subPath, isBound, bytes: read, check }: Forwarding,
): Promise<ReadOutcome> {
  const { request, pathname, search, clientAddress } = incoming
  const declared = request.headers.get('content-length')
  const limitBytes = mounted.limits.bodyBytes
  if (declared !== null && Number(declared) > limitBytes) return tooLarge(limitBytes)
  const announced = `stream:${declared ?? 'chunked'}`
  let body: Body | null = request.body
  let digest: readonly (Uint8Array | string)[] = [announced]
  if (body && declared !== null && Number(declared) <= FINGERPRINT_BYTES) {
    const bytes = read ?? (await readShort(request, Number(declared)))
    if ('ok' in bytes) return bytes
    const wrong = await check?.(bytes)
    if (wrong) return wrong
    digest = [bytes]
    body = new Response(bytes).body
  } else if (body) {
    if (declared === null) body = body.pipeThrough(limited(limitBytes))
    if (isBound || (check && declared === null)) {
      const begun = await begin(body)
      if ('ok' in begun) return begun
      const wrong = begun.isWhole ? await check?.(begun.head) : null
      if (wrong) {
        await begun.body.cancel()
        return wrong
      }
      digest = begun.isWhole ? [begun.head] : [announced, begun.head]
      body = begun.body
    }
  }
  return {
    ok: true,
    forward: {
      method: request.method,
      path: subPath,
      search,
      headers: withoutCredentials(request.headers),
      body,
      clientAddress,
    },
    fingerprint: fingerprintOf(mounted.skill.id, request.method, pathname, search, ...digest),
  }
}

/** The first FINGERPRINT_BYTES of a body, and the whole body; INVALID_INPUT if it is too large. */
async function begin(
  body: Body,
): Promise<{ head: Uint8Array; isWhole: boolean; body: Body } | Failure> {
  const reader = body.getReader()
  const startedMs = performance.now()
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  let isWhole = false
  try {
    while (sizeBytes <= FINGERPRINT_BYTES && !isWhole) {
      const next = await readPaced(reader, startedMs, sizeBytes)
      if (next === 'slow') {
        void reader.cancel().catch(() => {})
        return tooSlow()
      }
      isWhole = next.done
      if (next.value) chunks.push(next.value)
      sizeBytes += next.value?.byteLength ?? 0
    }
  } catch (error) {
    // The limit was exceeded, or the sender disconnected.
    return error instanceof GatewayError ? error.failure : brokenOff()
  }
  const head = Buffer.concat(chunks).subarray(0, FINGERPRINT_BYTES)
  return { head, isWhole, body: resumed(chunks, reader) }
}

function limited(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes) controller.error(new GatewayError(tooLarge(limitBytes)))
      else controller.enqueue(chunk)
    },
  })
}

/**
 * Whether a body is checked as JSON: its Content-Type says so, or it begins like an object in UTF-8 or
 * UTF-16. Many upstreams read JSON whatever its type is, so another type must not avoid the check.
 */
const isJson = (type: string | null, body: Uint8Array): boolean =>
  /^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i.test(type ?? '') ||
  body.find((byte) => !BEFORE_OBJECT.has(byte)) === 0x7b

/** Members of all objects in a JSON text. */
function membersIn(json: Uint8Array): number {
  let count = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === 0x22) isText = !isText
    else if (isText && byte === 0x5c) at++
    else if (!isText && byte === 0x3a) count++
  }
  return count
}

/** Members of all objects in a parsed JSON value. */
function membersOf(json: unknown): number {
  let count = 0
  const waiting = [json]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (isObject(one)) count += Object.keys(one).length
    for (const inner of Array.isArray(one) ? one : isObject(one) ? Object.values(one) : [])
      if (typeof inner === 'object' && inner !== null) waiting.push(inner)
  }
  return count
}

/**
 * Why a JSON body, with the path parameters and the query parameters in the schema, is not a valid
 * input of the skill; null if it is. A body that is not an object has no members: if the schema
 * requires none, the upstream judges it, as it judges an empty body and the query of a GET.
 */
export async function forwardProblem(
  skill: Skill,
  body: Uint8Array,
  { params, search, type }: { params: HttpParts['params']; search: string; type: string | null },
  share: string,
  readLong?: ReadLongJson,
): Promise<Failure | null> {
  if (body.byteLength === 0 || !isJson(type, body)) return null
  const parsed = await readJson(body, share, readLong, knownMembers(skill.input))
  if (!parsed.ok) return parsed
  // Of two members of one name the upstream may read the one that was not checked.
  if (membersOf(parsed.value) < membersIn(body))
    return invalid([{ path: '', message: 'must not have two members of one name' }])
  const properties = propertiesOf(skill.input)
  const declared = ([name]: readonly [string, unknown]) => Object.hasOwn(properties, name)
  const query = fromQuery(skill.input, new URLSearchParams(search))
  const input = {
    ...Object.fromEntries(Object.entries(query).filter(declared)),
    ...(isObject(parsed.value) ? parsed.value : {}),
    ...fromPath(skill.input, params),
  }
  const schema = compileSchema(skill.input)
  return schema.check(input) ? null : invalid(schema.issues(input))
}
