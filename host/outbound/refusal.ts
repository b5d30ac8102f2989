/** The refusals of outbound requests: making them, and naming what a socket or parser reported. */
import type { GuardedRefusal } from '#kernel'
import { codeOf } from '#kernel/host'

export function refuse(reason: GuardedRefusal['reason'], message: string): GuardedRefusal {
  return { ok: false, reason, message }
}

const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/

/** The refusal for a thrown socket, TLS or HTTP parser error; internal texts stay inside. */
export function refusalOf(error: unknown, host: string): GuardedRefusal {
  const code = codeOf(error)
  if (TLS_CODE.test(code)) return refuse('tls', `TLS with ${host} failed (${code})`)
  if (code === 'HPE_HEADER_OVERFLOW')
    return refuse('protocol', `${host} answered with too many header bytes`)
  if (/^(HPE_|ERR_HTTP|ERR_INVALID|ERR_UNESCAPED|Z_|ERR_BUFFER|ERR__|ERR_BROTLI)/.test(code))
    return refuse('protocol', `${host} did not speak valid HTTP (${code})`)
  return refuse('connect', `The connection to ${host} failed${code === '' ? '' : ` (${code})`}`)
}
