/** `coinop trigger …`: rehearses a provider's callback on a running sandbox gateway. */
import { atomicToCredits, EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { EVENTS } from './rehearsal.ts'

const TIMEOUT_MS = 60_000

type Json = Record<string, unknown>

/** Talks to the gateway as its operator; null, with the reason said, when it refuses or is not there. */
function operatorOf({ publicUrl: url, warn }: PluginCommandContext, token: string) {
  return async (method: string, path: string, body?: Json): Promise<Json | null> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    if (!response) {
      warn(`No gateway answers at ${url}: start one first, or set PUBLIC_URL or PORT`)
      return null
    }
    const json = (await response.json().catch(() => ({}))) as Json
    if (response.ok) return json
    const error = json['error'] as { message?: string; details?: unknown } | undefined
    warn(`${response.status} ${error?.message ?? 'without a reason'}`)
    if (error?.details) warn(JSON.stringify(error.details))
    return null
  }
}

async function trigger(context: PluginCommandContext): Promise<number> {
  const { adminToken, dataDir, warn } = context
  const [event] = context.positionals
  const { key, usd, reference } = context.options
  if (!event || !(event in EVENTS)) {
    warn(`usage: coinop ${triggerCommand.usage}`)
    return EXIT.usage
  }
  if (adminToken === null) {
    warn(`There is no ADMIN_TOKEN, and no admin-token in ${dataDir}`)
    return EXIT.config
  }
  const ask = operatorOf(context, adminToken)
  let apiKeyId = key
  if (reference === undefined && apiKeyId === undefined) {
    const made = await ask('POST', '/v1/keys', { name: 'rehearsal' })
    if (!made) return EXIT.failed
    apiKeyId = made['id'] as string
  }
  const told = await ask('POST', '/v1/sandbox/trigger', {
    event,
    ...(reference === undefined
      ? { apiKeyId, ...(usd !== undefined && { amountUsd: Number(usd) }) }
      : { reference }),
  })
  if (!told) return EXIT.failed
  const funded = await ask('GET', `/v1/keys/${told['apiKeyId']}`)
  const balance = funded?.['balance'] as { credits?: number } | undefined
  context.printRecord({
    event,
    reference: told['reference'],
    apiKeyId: told['apiKeyId'],
    credited: told['credited'],
    ...(told['credited'] === true
      ? { credits: atomicToCredits(BigInt(told['amountUsdcAtomic'] as number)) }
      : { reason: told['reason'] }),
    balanceCredits: balance?.credits,
  })
  return EXIT.ok
}

export const triggerCommand: PluginCommand = {
  name: 'trigger',
  usage: `trigger ${Object.keys(EVENTS).join('|')} [--key ID] [--usd N] [--reference R]`,
  summary:
    "rehearse a provider's callback on the running sandbox; without a key, a new one is made",
  options: {
    key: { type: 'string' },
    usd: { type: 'string' },
    reference: { type: 'string' },
  },
  run: trigger,
}
