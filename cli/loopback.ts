/** This machine is asked without the proxy of the environment. */

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]', '::1']
const NAMES = ['NO_PROXY', 'no_proxy'] as const

/**
 * Adds this machine to what `env` excepts from its proxy, where it names one. Bun sends everything there,
 * also what a command asks of the gateway or of the local chain, which no proxy can reach.
 */
export function exceptLoopback(env: Record<string, string | undefined>): void {
  const isProxied = Object.keys(env).some((name) => /^https?_proxy$/i.test(name))
  if (!isProxied) return
  // Bun reads one of the two and not the other.
  const named = NAMES.flatMap((name) => env[name]?.split(',') ?? [])
  const all = new Set([...named.map((host) => host.trim()), ...LOOPBACK])
  all.delete('')
  for (const name of NAMES) env[name] = [...all].join(',')
}
