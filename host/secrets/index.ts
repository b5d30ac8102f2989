/** What the kernel is handed: the secrets that a gateway makes for itself, and its vault. */
import type { SecretStore } from '#kernel/host'
import { knownAdminToken, loadAdminToken } from './admin-token.ts'
import { createVault, loadMasterKey } from './vault.ts'

export const secrets: SecretStore = {
  loadAdminToken,
  knownAdminToken,
  openVault: (configured, dataDir) => createVault(loadMasterKey(configured, dataDir)),
}
