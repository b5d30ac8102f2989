/** `coinop credits grant` and `coinop account grant`: credits from the adjustment account. */
import type { Foundation } from '../../compose/foundation.ts'
import { newId } from '../../ids.ts'
import type { Spender } from '../../ledger/contract.ts'
import { atomicToCredits } from '../../money.ts'
import { EXIT } from '../../plugins/command.ts'
import type { Command, CommandContext } from '../command.ts'
import { printRecord, usageOf, warn } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'
import { amountIn } from './credits-option.ts'

/** Whom a grant credits: an account, and the key that it is noted for. */
type Grantee = Pick<Spender, 'accountId'> & Partial<Pick<Spender, 'keyId'>>

/**
 * A command of `<id> <credits>` that credits whom `granteeOf` finds by the id, once per reference;
 * null where there is nobody of that id.
 */
export function grantCommand(
  noun: 'account' | 'key',
  shown: Pick<Command, 'name' | 'usage' | 'summary'>,
  granteeOf: (foundation: Foundation, id: string) => Promise<Grantee | null>,
): Command {
  const command: Command = {
    ...shown,
    isChange: true,
    options: { note: { type: 'string' }, reference: { type: 'string' } },
    run: grant,
  }
  async function grant(context: CommandContext): Promise<number> {
    const [id, credits] = context.positionals
    if (!id || !credits) return usageOf(command)
    const amount = amountIn(credits)
    if (!amount.ok) return usageOf(command, amount.message)
    const { reference = `cli:${newId()}`, note = 'granted from the command line' } = context.options
    const result = await withFoundation(context, async (foundation) => {
      const grantee = await granteeOf(foundation, id)
      return (
        grantee &&
        foundation.ledger.credit({
          ...grantee,
          amountAtomic: amount.amountAtomic,
          source: 'adjustment',
          reference: String(reference),
          kind: 'adjustment',
          note: String(note),
        })
      )
    })
    if (result === null) {
      warn(`There is no ${noun} ${id}`)
      return EXIT.failed
    }
    if (result.outcome !== 'credited') {
      warn(`The ${noun} ${id} takes no credits: ${result.outcome.replaceAll('_', ' ')}`)
      return EXIT.failed
    }
    printRecord({
      ledgerId: result.ledgerId,
      duplicate: result.duplicate,
      credits: atomicToCredits(result.availableAtomic),
    })
    return EXIT.ok
  }
  return command
}
