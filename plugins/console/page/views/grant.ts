/** Giving credits, with the reason that stands in the ledger. */
import { ask } from '../api.ts'
import { parseCredits } from '../../../shared/pages/amount.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import type { Shell } from '../../../shared/pages/view.ts'
import { onceName } from './once.ts'

/** Asks how many credits a key's account or an account gets, and why. */
export function grant(
  name: string,
  to: { apiKeyId: string } | { accountId: string },
  mode: 'live' | 'test',
  shell: Shell,
): void {
  const reference = onceName()
  askFor({
    title: `Grant credits to ${name}`,
    text: mode === 'test' ? 'Test money.' : 'Live credits, which nobody paid for.',
    fields: [
      { name: 'amount', label: 'Credits', required: true },
      {
        name: 'note',
        label: 'Reason',
        required: true,
        hint: 'Stands in the ledger row and in the log of changes; the holder sees it',
      },
    ],
    action: 'Grant',
    isDangerous: mode === 'live',
    async submit({ amount = '', note }) {
      const parsed = parseCredits(amount)
      if (!parsed.ok) throw new InputError(`Credits ${parsed.why}.`)
      await ask('/v1/credits/grant', {
        method: 'POST',
        body: { ...to, amountCredits: parsed.credits, note, reference },
      })
      shell.refresh()
    },
  })
}
