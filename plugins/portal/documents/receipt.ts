/** Receipts as pages that print well: what was bought, and what a month came to. */
import { atomicToCredits, creditsToAtomic, formatUsd } from '#kernel'
import { html, type Html } from '../../shared/portal/html.ts'
import { sourceName } from '../page/providers.ts'
import type { Receipt } from '../page/wire.ts'
import type { PageFacts } from './layout.ts'

export interface MonthFacts {
  /** '2026-11', UTC. */
  month: string
  accountId: string
  /** The newest of the month, how many there are of it, and what they come to. */
  purchases: { listed: readonly Receipt[]; count: number; credits: number }
  skills: readonly { skill: string; calls: number; chargedAtomic: bigint }[]
}

export function purchaseBody(facts: PageFacts, accountId: string, bought: Receipt): Html {
  const { at, id, credits, transaction, note, source } = bought
  return html`<h1>Receipt</h1>
    ${parties(facts, accountId)}
    <dl>
      ${fact('Number', id)}${fact('Date', dateOf(at))}${fact('What', kindText(bought))}${fact('Credits', counted(credits))}${fact('Worth', usd(credits))}${fact('By', sourceName(source))}${transaction !== null && fact('Transaction', transaction)}${note !== null && fact('Note', note)}
    </dl>
    <p class="hint">
      1 credit is $0.01. Credits are spent on calls; a call that failed costs nothing.
    </p>`
}

export function monthBody(
  facts: PageFacts,
  { month, accountId, purchases, skills }: MonthFacts,
): Html {
  const charged = skills.reduce((sum, { chargedAtomic }) => sum + chargedAtomic, 0n)
  const { listed, count, credits } = purchases
  return html`<h1>Statement of ${month}</h1>
    ${parties(facts, accountId)}
    <section>
      <h2>Calls</h2>
      ${table(
        ['Skill', 'Calls', 'Credits'],
        skills.map(({ skill, calls, chargedAtomic }) => [
          skill,
          String(calls),
          counted(atomicToCredits(chargedAtomic)),
        ]),
      )}
      <p>
        Spent:
        <strong>${counted(atomicToCredits(charged))} credits</strong> ($${formatUsd(charged)})
      </p>
    </section>
    <section>
      <h2>Credits beside calls</h2>
      ${table(
        ['Date', 'What', 'Credits', 'Note', 'Number'],
        listed.map((one) => [
          dateOf(one.at),
          kindText(one),
          counted(one.credits),
          one.note ?? '',
          one.id,
        ]),
      )}
      ${
        listed.length < count &&
        html`<p>
          These are the newest ${counted(listed.length)} of ${counted(count)}.
          <a href="${facts.site.home}/api/receipts.csv?month=${month}">All of them as CSV</a>
        </p>`
      }
      <p>Together: <strong>${counted(credits)} credits</strong></p>
    </section>`
}

function parties({ operator, site, isSandbox }: PageFacts, accountId: string): Html {
  return html`<dl>
    ${fact('Seller', `${operator.name ?? 'Coinop'}, ${site.host}`)}${fact('Account', accountId)}${isSandbox && fact('Money', 'test money: this is not an invoice')}
  </dl>`
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  if (rows.length === 0) return html`<p class="empty">None.</p>`
  return html`<div class="table" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td data-name="${headings[at]!}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Says what moved credits, by the ledger account on the other side; a plan's rows have a note. */
function kindText({ kind, credits, source }: Receipt): string {
  const isIn = credits >= 0
  if (source.startsWith('plan:')) return 'Plan'
  if (source === 'transfer') return isIn ? 'From another account' : 'To another account'
  if (!isIn) return 'Credits taken back'
  if (kind === 'grant' || source === 'adjustment') return 'Credits granted'
  return kind === 'topup' ? 'Credits bought' : 'Credits given back'
}

/** '2026-11-30 01:03:41 UTC'. */
function dateOf(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}

function counted(credits: number): string {
  return credits.toLocaleString('en', { maximumFractionDigits: 4 })
}

function usd(credits: number): string {
  const parsed = creditsToAtomic(Math.abs(credits))
  return parsed.ok ? `${credits < 0 ? '-' : ''}$${formatUsd(parsed.amountAtomic)}` : ''
}
