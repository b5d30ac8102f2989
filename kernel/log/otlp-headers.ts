/**
 * OTEL_EXPORTER_OTLP_HEADERS as OpenTelemetry's specification of exporters has it: `name=value` pairs
 * of W3C Baggage, comma-separated, values percent-encoded.
 */

/** Set by the exporter itself. */
const OWN = new Set(['content-type', 'content-length', 'host', 'transfer-encoding', 'connection'])

/** The headers by name in lower case; null when the text is not such a list. */
export function parseOtlpHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim().toLowerCase()
    const value = decoded(pair.slice(at + 1).trim())
    if (at < 1 || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || OWN.has(name)) return null
    if (value === null || !/^[\x20-\x7e]*$/.test(value)) return null
    headers[name] = value
  }
  return headers
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
