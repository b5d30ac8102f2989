/** Where a rail looks for its credential. */
export interface CredentialSource {
  header(name: string): string | null
  /**
   * The address of the caller as the gateway sees it (TRUSTED_PROXIES); absent where whoever asks does
   * not know it, and then a key that is bound to networks is refused.
   */
  readonly clientAddress?: string | undefined
  /** MCP `params._meta`, or undefined on HTTP. */
  meta?: Readonly<Record<string, unknown>>
}
