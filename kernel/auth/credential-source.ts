/** Where credentials of an HTTP request are looked for. */
import type { CredentialSource } from './contract.ts'

/** The credential headers of a request. */
export function httpSource(headers: Headers): CredentialSource {
  return { header: (name) => headers.get(name) }
}

/** X-Kernel-Acquisition as stored: printable characters only, at most 128; null when none is left. */
export function acquisitionOf(header: string | null): string | null {
  if (header === null) return null
  const printable = header
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 128)
  return printable === '' ? null : printable
}
