/**
 * `coinop demo`: the whole story with readable output, on a gateway of its own, or, with --url, on a
 * sandbox gateway that runs on this machine.
 */
import { EXIT, isLoopbackHost, type PluginCommand, type PluginCommandContext } from '#kernel'
import { Story } from './story.ts'
import { sandboxWallet } from './wallet.ts'

async function demo(context: PluginCommandContext): Promise<number> {
  const { url } = context.options
  const upstream = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('out of order', { status: 500 }),
  })
  const tellOn = async (
    at: string,
    adminToken: string,
    verify: PluginCommandContext['verifyLedger'],
  ): Promise<number> => {
    const wallet = await sandboxWallet(at, adminToken)
    const brokenUpstreamUrl = `http://127.0.0.1:${upstream.port}`
    const { say, warn } = context
    return new Story({ url: at, adminToken, brokenUpstreamUrl, wallet, verify, say, warn }).tell()
  }
  try {
    if (typeof url !== 'string') {
      context.say('Starting a gateway of its own, with a database and a local chain …')
      return await context.withSandbox((own) => tellOn(own.url, own.adminToken, own.verifyLedger))
    }
    // It gets the admin token, and what is made there is not undone: no place for a slip.
    if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname))
      return context.usage('--url must be that of a sandbox gateway on this machine')
    const { adminToken, dataDir } = context
    if (adminToken === null) {
      context.warn(
        `Set ADMIN_TOKEN, or DATA_DIR to the folder that holds admin-token (not in ${dataDir})`,
      )
      return EXIT.usage
    }
    return await tellOn(url.replace(/\/+$/, ''), adminToken, () => context.verifyLedger())
  } finally {
    await upstream.stop(true)
  }
}

export const demoCommand: PluginCommand = {
  name: 'demo',
  usage: 'demo [--url URL]',
  summary: 'walk through the whole story, on a gateway of its own or a running sandbox',
  options: { url: { type: 'string' } },
  run: demo,
}
