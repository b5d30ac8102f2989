/** One call with everything linked to it: its settlement, ledger rows, price, refund. */
import { ask } from '../api.ts'
import { atomicOf, creditsText } from '../../../shared/pages/amount.ts'
import { button, h, type Child } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, copyable, facts, go, note, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Call, CallDetail } from '../wire/calls.ts'
import type { Prices } from '../wire/products.ts'
import { payerOf } from './calls.ts'
import { entryColumns } from './ledger.ts'

interface Data {
  call: CallDetail
  /** What the skill cost in the price version of the call, in words; null when that is not known. */
  price: string | null
}

export const callView =
  (id: string): MakeView =>
  (shell) =>
    view<Data>({
      title: 'Call',
      isLive: true,
      async load(signal) {
        const call = await ask<CallDetail>(`/v1/admin/calls/${encodeURIComponent(id)}`, { signal })
        return { call, price: await priceOf(call, signal) }
      },
      show: ({ call, price }) => [
        call.outcome === 'open' &&
          note('warn', call.expiresAt === null ? 'Its payment is not over.' : 'Its hold is open.'),
        call.reason !== null && note('quiet', `Reason: ${call.reason}`),
        facts(
          ['Request id', copyable(call.requestId)],
          ['Skill', call.skill],
          ['Path', placeOf(call.path)],
          ['Rail', call.rail],
          ['Outcome', [badge(call.outcome), ` (${call.state})`]],
          ['Began', moment(call.at)],
          call.expiresAt === null ? null : ['Hold expires', moment(call.expiresAt)],
          ['Price', amount(call.amountUsdcAtomic)],
          ['Charged', amount(call.chargedUsdcAtomic)],
          ['Price version', versionOf(call, price)],
          ['Payer', payerOf(call)],
          call.acquisition === null ? null : ['Campaign', call.acquisition],
          ['Id', copyable(call.id)],
          call.transaction === null ? null : ['Transaction', copyable(call.transaction)],
        ),
        call.settlement && settlementOf(call.settlement),
        section(
          'Ledger rows',
          table(entryColumns, call.entries, 'No money has moved for this call.'),
        ),
        h(
          'p',
          { class: 'buttons' },
          isRefundable(call) && button('Refund …', () => refund(call, shell), { class: 'danger' }),
          go('The request', ['requests', call.requestId]),
          go('All calls of this request', ['calls'], { requestId: call.requestId }),
        ),
      ],
    })

/** The route or tool that was called; a forward of the webhook relay leads to its delivery. */
function placeOf(path: string): HTMLElement {
  const deliveryId = /^webhook:(dlv_\w+)$/.exec(path)?.[1]
  return deliveryId === undefined ? h('code', {}, path) : go(path, ['webhooks', deliveryId])
}

async function priceOf(call: Call, signal: AbortSignal): Promise<string | null> {
  if (call.priceVersion === null || call.priceVersion === 0) return null
  const query = { version: call.priceVersion }
  const prices = await ask<Prices>('/v1/prices', { query, signal }).catch(() => null)
  return prices?.skills.find(({ skill }) => skill === call.skill)?.rule.text ?? null
}

function versionOf({ priceVersion }: Call, price: string | null): Child {
  if (priceVersion === null) return '–'
  if (price === null) return String(priceVersion)
  return `${priceVersion}, where the skill costs ${price}`
}

/** What the rail says of the settlement, in its own names: `validBefore` is shown as 'Valid before'. */
function settlementOf({ uncertain, ...said }: NonNullable<CallDetail['settlement']>): HTMLElement {
  return section(
    'Settlement',
    uncertain === true &&
      !said['settledAt'] &&
      note('warn', 'An attempt may have moved the money; the rail goes on to find out.'),
    facts(...Object.entries(said).map(([name, value]) => [wordsOf(name), shownOf(value)] as const)),
  )
}

function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function shownOf(value: unknown): Child {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string')
    return typeof value === 'number' ? String(value) : JSON.stringify(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return moment(value)
  return value.length > 21 ? copyable(value) : value
}

function isRefundable({ outcome, skill, entries }: CallDetail): boolean {
  const isGoods = skill.startsWith('topup.')
  const has = (...kinds: string[]): boolean => entries.some(({ kind }) => kinds.includes(kind))
  return outcome === 'charged' && !isGoods && has('capture', 'settlement') && !has('refund')
}

function refund(call: CallDetail, shell: Shell): void {
  const isPrepaid = call.entries.some(({ kind }) => kind === 'capture')
  const settlement = call.entries.find(({ kind }) => kind === 'settlement')
  askFor({
    title: 'Refund this call',
    text: isPrepaid
      ? `${creditsText(atomicOf(call.chargedUsdcAtomic ?? 0))} go back to the balance of the key that paid.`
      : 'A settled payment is not sent back the way it came: it becomes credits of an API key.',
    fields: [
      ...(isPrepaid
        ? []
        : [{ name: 'apiKeyId', label: 'Key that gets the credits', required: true }]),
      { name: 'note', label: 'Reason', hint: 'Stands in the ledger row', required: true },
    ],
    action: 'Refund',
    isDangerous: true,
    async submit({ apiKeyId, note }) {
      await ask('/v1/credits/refund', {
        method: 'POST',
        body: {
          requestId: call.requestId,
          ...(note && { note }),
          ...(isPrepaid
            ? { authorizationId: call.id }
            : { apiKeyId, ...(settlement && { ledgerId: settlement.id }) }),
        },
      })
      shell.refresh()
    },
  })
}
