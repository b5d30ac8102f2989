/** The secrets of a gateway itself: configured, or made at the first start and kept; `host/secrets` has them. */

export interface SecretStore {
  /**
   * ADMIN_TOKEN when configured; with SANDBOX on and none configured, the one kept in
   * `<dataDir>/admin-token` (mode 0600), made at first boot.
   */
  loadAdminToken(options: {
    configured: string | null
    sandbox: boolean
    dataDir: string
  }): AdminToken
  /** For a command beside the gateway: ADMIN_TOKEN, or the one kept in `dataDir`; null when neither can be read. */
  knownAdminToken(configured: string | null, dataDir: string): string | null
  /**
   * The vault under the 32-byte master key: COINOP_MASTER_KEY (base64) when configured, else the file
   * `<dataDir>/master-key` (mode 0600), made at first boot. Throws when either is not 32 bytes.
   */
  openVault(configured: string | null, dataDir: string): Vault
}

export interface AdminToken {
  /** Null: no admin route can be used. */
  token: string | null
  /** True once, for the boot that made it: print it now. */
  firstPrinted: boolean
  /** Where it is kept, when the gateway made it. */
  file: string | null
}

/** Secrets at rest: AES-256-GCM under the gateway's master key. */
export interface Vault {
  seal(plaintext: string): Promise<string>
  open(sealed: string): Promise<string>
  /**
   * A secret of `bytes` bytes that belongs to `info` ('coinop receipts v1'): HKDF-SHA-256 of the
   * master key (RFC 5869, no salt). The same on every instance of one database, which all have the
   * same master key, and after every start.
   */
  derive(info: string, bytes: number): Uint8Array
}

/** The text was sealed under another master key, or was altered. */
export class VaultError extends Error {
  override name = 'VaultError'
}
