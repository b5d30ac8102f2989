/** `coinop credits refund`: gives charged calls back, by the route of a running gateway. */
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import {
  CommandFailure,
  remoteOf,
  REMOTE_OPTIONS,
  REMOTE_USAGE,
  telling,
} from '../../shared/commands/remote.ts'

interface Refunded {
  requestId: string
  state: string
  amountCredits: number
  ledgerId: string
}

export const creditsRefund: PluginCommand = {
  name: 'credits refund',
  usage: `credits refund <request id> … [--key ID] [--note N] ${REMOTE_USAGE}`,
  summary:
    'give charged calls back, each once; --key: whose they were, or who gets what a wallet paid',
  options: { key: { type: 'string' }, note: { type: 'string' }, ...REMOTE_OPTIONS },
  run: (context) => telling(context, () => refund(context)),
}

/** Of many calls one that cannot be refunded, or was not charged, keeps no other from it. */
async function refund(context: PluginCommandContext): Promise<number> {
  const { positionals, options, warn } = context
  if (positionals.length === 0) return context.usage()
  const { key, note } = options
  const remote = remoteOf(context)
  const rows: Refunded[] = []
  let exit: number = EXIT.ok
  for (const requestId of positionals) {
    const body = { requestId, ...(key !== undefined && { apiKeyId: key }), ...(note && { note }) }
    try {
      const done = await remote.ask<Refunded>('POST', '/v1/credits/refund', body)
      const { state, amountCredits, ledgerId } = done
      rows.push({ requestId, state, amountCredits, ledgerId })
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      warn(`${requestId}: ${error.message}`)
      exit = error.exit
      // Nobody answers, so the rest need not be asked for.
      if (exit === EXIT.unavailable) break
    }
  }
  context.printRows(rows.map((row) => ({ ...row })))
  return exit
}
