/** The admin token: that of the configuration, or the one that a sandbox makes and keeps. */
import { randomBase62, type AdminToken, type SecretStore } from '#kernel/host'
import { keptSecret, readKept } from './kept-secret.ts'

const FILE = 'admin-token'

export const loadAdminToken: SecretStore['loadAdminToken'] = ({
  configured,
  sandbox,
  dataDir,
}): AdminToken => {
  if (configured !== null || !sandbox) return { token: configured, firstPrinted: false, file: null }
  const kept = keptSecret(dataDir, FILE, () => `coinop_admin_${randomBase62(43)}`)
  // No token would be right, so that the operator's pages and commands would be closed.
  if (kept.text === '') throw new Error(`${kept.file} is empty: delete it, and start again`)
  return { token: kept.text, firstPrinted: kept.made, file: kept.file }
}

export const knownAdminToken: SecretStore['knownAdminToken'] = (configured, dataDir) => {
  if (configured !== null) return configured
  try {
    return readKept(dataDir, FILE)
  } catch {
    return null
  }
}
