/** The part of a request in which credentials are looked for. */
export interface CredentialSource {
  header(name: string): string | null
  /**
   * The caller's address as the gateway sees it (TRUSTED_PROXIES). If it is absent, a key that is
   * bound to networks is refused.
   */
  readonly clientAddress?: string | undefined
  /** MCP `params._meta`, or undefined on HTTP. */
  meta?: Readonly<Record<string, unknown>>
}
