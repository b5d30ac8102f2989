/** The part of a request in which credentials are looked for. */
export interface CredentialSource {
  header(name: string): string | null
  /**
   * The caller's address as the gateway sees it (TRUSTED_PROXIES). If it is absent, a key that is
   * bound to networks is refused.
   */
  readonly clientAddress?: string | undefined
  /** The request ends a hold: a service may do so for a key that has ended since. */
  readonly endsHold?: boolean
  /** MCP `params._meta`, or undefined on HTTP. */
  meta?: Readonly<Record<string, unknown>>
}
