/** `coinop credits grant` and `coinop account grant`: credits from the adjustment account. */
import {
  atomicToCredits,
  type Books,
  EXIT,
  newId,
  type PluginCommand,
  type PluginCommandContext,
  type Spender,
} from '#kernel'
import { referenceProblem, wasThisGrant } from '../reference.ts'
import { amountIn } from './credits-option.ts'

export const GRANT_NOTE = 'granted from the command line'

/** A credit from the adjustment account, once per reference, but for whom it credits. */
export const grantOf = (reference: string, amountAtomic: bigint) =>
  ({
    amountAtomic,
    source: 'adjustment',
    reference,
    kind: 'adjustment',
    note: GRANT_NOTE,
  }) as const

/** Whom a grant credits: an account, and the key that it is noted for. */
type Grantee = Pick<Spender, 'accountId'> & Partial<Pick<Spender, 'keyId'>>

/**
 * A command of `<id> <credits>` that credits whom `granteeOf` finds by the id, once per reference;
 * null where there is nobody of that id.
 */
export function grantCommand(
  noun: 'account' | 'key',
  shown: Pick<PluginCommand, 'name' | 'usage' | 'summary'>,
  granteeOf: (books: Books, id: string) => Promise<Grantee | null>,
): PluginCommand {
  const command: PluginCommand = {
    ...shown,
    isChange: true,
    options: { note: { type: 'string' }, reference: { type: 'string' } },
    run: grant,
  }
  async function grant(context: PluginCommandContext): Promise<number> {
    const [id, credits] = context.positionals
    if (!id || !credits) return context.usage()
    const amount = amountIn(credits)
    if (!amount.ok) return context.usage(amount.message)
    const problem = referenceProblem(context.options)
    if (problem !== null) return context.usage(problem)
    const { reference = `cli:${newId()}`, note = GRANT_NOTE } = context.options
    const result = await context.onBooks(async (books) => {
      const grantee = await granteeOf(books, id)
      if (grantee === null) return `There is no ${noun} ${id}`
      const order = { ...grantOf(String(reference), amount.amountAtomic), ...grantee }
      const credited = await books.ledger.credit({ ...order, note: String(note) })
      if (credited.outcome !== 'credited')
        return `The ${noun} ${id} takes no credits: ${credited.outcome.replaceAll('_', ' ')}`
      if (credited.duplicate && !(await wasThisGrant(books.ledger, credited.ledgerId, order)))
        return `Nothing was granted: the reference ${String(reference)} was used for another grant`
      return credited
    })
    if (typeof result === 'string') {
      context.warn(result)
      return EXIT.failed
    }
    context.printRecord({
      ledgerId: result.ledgerId,
      duplicate: result.duplicate,
      credits: atomicToCredits(result.availableAtomic),
    })
    return EXIT.ok
  }
  return command
}
