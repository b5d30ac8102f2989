/** Where a rail looks for its credential. */
export interface CredentialSource {
  header(name: string): string | null
  /** MCP `params._meta`, or undefined on HTTP. */
  meta?: Readonly<Record<string, unknown>>
}
