/** `coinop topup owed` and `coinop topup return`: by the routes of a running gateway, here or anywhere. */
import { EXIT, type PluginCommand } from '#kernel'
import { remoteOf, REMOTE_OPTIONS, REMOTE_USAGE, telling } from '../shared/commands/remote.ts'
import { OWED_PATH, RETURN_PATH } from './return-routes.ts'

type Row = Record<string, unknown>

export const owedCommand: PluginCommand = {
  name: 'topup owed',
  usage: `topup owed ${REMOTE_USAGE}`,
  summary: 'refunds and disputes that the merchant won and whose credits were not given back',
  options: REMOTE_OPTIONS,
  run: (context) =>
    telling(context, async () => {
      const { rows } = await remoteOf(context).ask<{ rows: Row[] }>('GET', OWED_PATH)
      context.printRows(rows)
      return EXIT.ok
    }),
}

export const returnCommand: PluginCommand = {
  name: 'topup return',
  usage: `topup return PROVIDER refund|dispute ID ${REMOTE_USAGE}`,
  summary: 'give back what one of them took, once',
  options: REMOTE_OPTIONS,
  run: (context) =>
    telling(context, async () => {
      const [provider, kind, id, ...rest] = context.positionals
      if (provider === undefined || kind === undefined || id === undefined || rest.length > 0)
        return context.usage('needs a provider, refund or dispute, and its id')
      const body = { provider, kind, id }
      context.printRecord(await remoteOf(context).ask<Row>('POST', RETURN_PATH, body))
      return EXIT.ok
    }),
}
