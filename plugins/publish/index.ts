/** Being listed: `coinop publish` and the proof of the domain. README.md has the directories. */
import { Type } from 'typebox'
import { definePlugin, type Migration } from '#kernel'
import { publishCommand } from './command.ts'
import { PROOF_PATH } from './proof.ts'
import { PROOF_ADMIN_PATH, proofRoutes } from './proof-routes.ts'

/** One row: a gateway has one domain. */
const PROOF = `
CREATE TABLE domain_proof (
  is_sole boolean PRIMARY KEY DEFAULT true CHECK (is_sole),
  public_key text NOT NULL
);`
const MIGRATIONS: readonly Migration[] = [{ id: '0001_domain_proof', up: PROOF }]

export default definePlugin({
  id: 'publish',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: Type.Object({}, { additionalProperties: false }),
  reservedPaths: [PROOF_PATH, PROOF_ADMIN_PATH],
  migrations: MIGRATIONS,
  commands: [publishCommand],
  setup: (env) => ({ routes: proofRoutes(env.db) }),
})
