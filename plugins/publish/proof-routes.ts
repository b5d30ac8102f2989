/** Serves the proof of the domain, and takes it from `coinop publish`. */
import { Type } from 'typebox'
import { invalid, privateJson, readInput, type PluginDb, type Route } from '#kernel'
import { PROOF_PATH, proofLine, PUBLIC_KEY } from './proof.ts'

/** Where `coinop publish` leaves the public key. */
export const PROOF_ADMIN_PATH = '/v1/admin/publish/proof'

const ProofInput = Type.Object(
  { publicKey: Type.String({ description: 'Base64 of an Ed25519 public key' }) },
  { additionalProperties: false },
)

export function proofRoutes(db: PluginDb): Route[] {
  return [
    {
      method: 'GET',
      path: PROOF_PATH,
      auth: 'public',
      rateLimited: true,
      tag: 'Publishing',
      summary: 'Whose domain this is, for the MCP Registry',
      statuses: [404],
      async handler() {
        const [row] = await db.query<{ publicKey: string }>(
          `SELECT public_key AS "publicKey" FROM domain_proof`,
        )
        if (!row) return invalid([{ path: '', message: 'No proof was published' }], 404)
        return new Response(`${proofLine(row.publicKey)}\n`, {
          headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
        })
      },
    },
    {
      method: 'PUT',
      path: PROOF_ADMIN_PATH,
      auth: 'admin',
      tag: 'Publishing',
      summary: 'Serve this public key as the proof of the domain',
      input: ProofInput,
      async handler(request) {
        const input = await readInput(request, ProofInput)
        if (!input.ok) return input
        const { publicKey } = input.value
        if (!PUBLIC_KEY.test(publicKey)) {
          return invalid([{ path: '/publicKey', message: 'must be base64 of 32 bytes' }])
        }
        await db.query(
          `INSERT INTO domain_proof (public_key) VALUES ($1)
           ON CONFLICT (is_sole) DO UPDATE SET public_key = excluded.public_key`,
          [publicKey],
        )
        return privateJson({ publicKey, line: proofLine(publicKey) })
      },
    },
  ]
}
