/** A gateway under measurement, and keys on it with credits for a long bench. */
import type { MeasuredProcess } from './process.ts'

const ADMIN = 'bench-admin-token-of-at-least-32-characters'

/** The environment of a gateway whose chain is made up and whose keys are funded by hand. */
export function gatewayEnv(databaseUrl: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SANDBOX: 'true',
    ADMIN_TOKEN: ADMIN,
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    LOG_FORMAT: 'json',
    COINOP_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    SANDBOX_CHAIN: 'false',
  }
}

async function post(
  gateway: MeasuredProcess,
  path: string,
  body: unknown,
): Promise<{ id: string; key: string }> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; key: string }
}

/** Keys whose rate limit is out of the way, each with a balance of its own. */
export async function fundedKeys(gateway: MeasuredProcess, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const limits = { rpmLimit: 1_000_000, burstLimit: 100_000 }
    const made = await post(gateway, '/v1/keys', { name: `bench ${i}`, ...limits })
    const topup = { apiKeyId: made.id, amount: 10_000_000, provider: 'sandbox' }
    await post(gateway, '/v1/sandbox/topup', topup)
    keys.push(made.key)
  }
  return keys
}
