/**
 * Commands that ask a running gateway, here or anywhere, with an operator's token. The token comes
 * from the environment: what stands in a command line, every user of the machine can read.
 */
import { EXIT, isLoopbackHost, type PluginCommand, type PluginCommandContext } from '#kernel'

/** `token` is refused, with what to do instead: earlier versions took it. */
export const REMOTE_OPTIONS = { url: { type: 'string' }, token: { type: 'string' } } as const
export const REMOTE_USAGE = '[--url URL]'

export const TOKEN_VARIABLE = 'COINOP_TOKEN'

const TIMEOUT_MS = 15_000

/** Why a command ends, in words and with its exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exit: number
  /** Whether the same may work soon: no gateway is there, or it is not ready. */
  readonly mayPass: boolean
  constructor(message: string, exit: number = EXIT.failed, mayPass = exit === EXIT.unavailable) {
    super(message)
    this.exit = exit
    this.mayPass = mayPass
  }
}

/** Of a gateway that starts or stops, and of the proxy in front of one. */
const NOT_READY: readonly number[] = [502, 503, 504]

export interface Remote {
  /**
   * The JSON answer of a route; throws a CommandFailure with what the gateway says. A body is sent as
   * JSON, a text as YAML.
   */
  ask<T>(method: string, path: string, body?: object | string): Promise<T>
}

/**
 * The gateway that --url names, or that this configuration is about. A CommandFailure where the URL is
 * none, a token stands in the command line, or none is known for that gateway.
 */
export function remoteOf(context: PluginCommandContext): Remote {
  const { options, publicUrl } = context
  if (options['token'] !== undefined)
    throw new CommandFailure(
      `--token shows in the list of processes: set ${TOKEN_VARIABLE} instead`,
      EXIT.usage,
    )
  const url = typeof options['url'] === 'string' ? baseOf(options['url']) : publicUrl
  const token = tokenFor(url, context)
  if (token === null)
    throw new CommandFailure(
      `Set ${TOKEN_VARIABLE} to the token of an operator of ${url}`,
      EXIT.usage,
    )
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    context.warn(`${url} is plain http: whoever is on the way can read the token`)
  return {
    async ask<T>(method: string, path: string, body?: object | string): Promise<T> {
      let response: Response
      let text: string
      try {
        response = await fetch(url + path, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && {
              'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json',
            }),
          },
          ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        text = await response.text()
      } catch (error) {
        throw new CommandFailure(`${url} cannot be reached: ${String(error)}`, EXIT.unavailable)
      }
      const answer = jsonOf(text)
      if (response.ok && answer !== undefined) return answer as T
      const { error } = (answer ?? {}) as { error?: { message?: unknown } }
      const mayPass = NOT_READY.includes(response.status)
      if (typeof error?.message === 'string')
        throw new CommandFailure(
          `${url} answered ${response.status}: ${error.message}`,
          EXIT.failed,
          mayPass,
        )
      const said = text.trim() === '' ? '' : `: ${text.slice(0, 200)}`
      throw new CommandFailure(
        `${url} answered ${response.status}, not as a gateway does${said}\n  A proxy in front may keep the operator's routes inside: give the gateway's own address with --url, and ${TOKEN_VARIABLE}`,
        EXIT.failed,
        mayPass,
      )
    },
  }
}

/**
 * The operator's token for the gateway at `url`, null where none is known. The token kept here is that of
 * the gateway here: no other address gets to see it unasked.
 */
export function tokenFor(
  url: string,
  { publicUrl, adminToken }: Pick<PluginCommandContext, 'publicUrl' | 'adminToken'>,
): string | null {
  return process.env[TOKEN_VARIABLE] || (url === publicUrl ? adminToken : null)
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

/** The URL of a gateway as `--url` has it, without a slash at its end. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new CommandFailure(
      `--url must be such as https://gateway.example, got ${text}`,
      EXIT.usage,
    )
  return url.href.replace(/\/+$/, '')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A command by the routes of a gateway elsewhere; its exit code. */
export type RemoteRun = (context: PluginCommandContext, remote: Remote) => Promise<number>

/** A command that works on the configured database, and with --url on the gateway there, by its routes. */
export function alsoRemote(command: PluginCommand, run: RemoteRun): PluginCommand {
  return {
    ...command,
    usage: `${command.usage} ${REMOTE_USAGE}`,
    options: { ...command.options, ...REMOTE_OPTIONS },
    run(context) {
      const { url, token } = context.options
      if (url === undefined && token === undefined) return command.run(context)
      return telling(context, async () => run(context, remoteOf(context)))
    },
  }
}
