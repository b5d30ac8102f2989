/** Commands that ask a running gateway, here or anywhere, with an operator's token. */
import { EXIT, type PluginCommandContext } from '#kernel'

export const REMOTE_OPTIONS = { url: { type: 'string' }, token: { type: 'string' } } as const
export const REMOTE_USAGE = '[--url URL] [--token TOKEN]'

const TIMEOUT_MS = 15_000

/** Why a command ends, in words and with its exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exit: number
  constructor(message: string, exit: number = EXIT.failed) {
    super(message)
    this.exit = exit
  }
}

export interface Remote {
  /** The JSON answer of a route; throws a CommandFailure with what the gateway says. */
  ask<T>(method: string, path: string, body?: object): Promise<T>
}

/** The gateway that --url names, or that this configuration is about. */
export function remoteOf({ options, publicUrl, adminToken }: PluginCommandContext): Remote {
  const url = typeof options['url'] === 'string' ? options['url'].replace(/\/+$/, '') : publicUrl
  const given = typeof options['token'] === 'string' ? options['token'] : null
  const isElsewhere = url !== publicUrl
  // The token kept here is that of the gateway here: no other address gets to see it unasked.
  const token = given ?? process.env['COINOP_TOKEN'] ?? (isElsewhere ? null : adminToken)
  if (token === null)
    throw new CommandFailure(
      'Give the token of an operator: --token, COINOP_TOKEN, or ADMIN_TOKEN for the gateway here',
      EXIT.usage,
    )
  return {
    async ask<T>(method: string, path: string, body?: object): Promise<T> {
      let response: Response
      try {
        response = await fetch(url + path, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
      } catch (error) {
        throw new CommandFailure(`${url} cannot be reached: ${String(error)}`, EXIT.unavailable)
      }
      const text = await response.text()
      const answer = jsonOf(text)
      if (response.ok && answer !== undefined) return answer as T
      const { error } = (answer ?? {}) as { error?: { message?: unknown } }
      throw new CommandFailure(
        `${url} answered ${response.status}: ${
          typeof error?.message === 'string' ? error.message : text.slice(0, 200)
        }`,
      )
    },
  }
}

/** Runs a command; what it fails with is said on stderr. */
export async function telling(
  { warn }: PluginCommandContext,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    warn(error.message)
    return error.exit
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
