/** The names that a manifest may use, so that a misspelt one is told instead of passed over. */
import type { Plugin, ServiceName } from '#kernel'
import { isMisspelt } from '#kernel/host'

const MEMBERS: Record<keyof Plugin, true> = {
  id: true,
  version: true,
  kernel: true,
  config: true,
  configProblems: true,
  secrets: true,
  variables: true,
  contradictions: true,
  setupFindings: true,
  reservedPaths: true,
  requires: true,
  migrations: true,
  keepChange: true,
  commands: true,
  gateway: true,
  setup: true,
}
const SERVICES: Record<ServiceName, true> = {
  billing: true,
  funds: true,
  accounts: true,
  keys: true,
  accountKeys: true,
  statements: true,
  catalog: true,
  calls: true,
  vault: true,
  documents: true,
  oneOffSales: true,
  till: true,
  operator: true,
  outbound: true,
  settlements: true,
  signals: true,
  alerts: true,
  quotes: true,
  reports: true,
  administration: true,
}

/** What is wrong with the names in a manifest; null: nothing. */
export function nameProblem(manifest: object, requires: readonly string[]): string | null {
  for (const name of Object.keys(manifest)) {
    if (Object.hasOwn(MEMBERS, name)) continue
    // A member of its own, such as an author, does no harm.
    const meant = Object.keys(MEMBERS).find((member) => isMisspelt(member, name))
    if (meant !== undefined) return `\`${name}\` is not known; did you mean \`${meant}\`?`
  }
  const unknown = requires.find((name) => !Object.hasOwn(SERVICES, name))
  if (unknown === undefined) return null
  return `\`requires\` names ${JSON.stringify(unknown)}; the services are ${Object.keys(SERVICES).join(', ')}`
}
