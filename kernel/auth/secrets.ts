/** The gateway's own secrets, configured or made at the first start; see `host/secrets`. */

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
  /** For CLI commands: ADMIN_TOKEN, or the token kept in `dataDir`; null if neither is readable. */
  knownAdminToken(configured: string | null, dataDir: string): string | null
  /**
   * The vault under the 32-byte master key: COINOP_MASTER_KEY (base64) when configured, else the
   * file `<dataDir>/master-key` (mode 0600), made at first boot. Throws when either is not 32
   * bytes.
   */
  openVault(configured: string | null, dataDir: string): Vault
}

export interface AdminToken {
  /** Null: admin routes are disabled. */
  token: string | null
  /** True only for the boot that made the token, which prints it. */
  firstPrinted: boolean
  /** The file that keeps it, if the gateway made it. */
  file: string | null
}

/** Secrets at rest: AES-256-GCM under the gateway's master key. */
export interface Vault {
  seal(plaintext: string): Promise<string>
  open(sealed: string): Promise<string>
  /**
   * Derives a secret of `bytes` bytes for `info` ('coinop receipts v1'): HKDF-SHA-256 of the master
   * key (RFC 5869, no salt). It is the same after every start and on all instances of one database,
   * which share the master key.
   */
  derive(info: string, bytes: number): Uint8Array
}

/** The text was sealed under another master key, or was altered. */
export class VaultError extends Error {
  override name = 'VaultError'
}
