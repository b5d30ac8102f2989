/** One account: its balance, the keys that share it, and what an operator can do with it. */
import { ask } from '../api.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { atomicOfCredits, parseCredits } from '../../../shared/pages/amount.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, copyable, facts, go, section } from '../../../shared/pages/parts.ts'
import { goTo } from '../../../shared/pages/place.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Account, AccountHolders, Key } from '../wire/accounts.ts'
import { holdersOf } from './account-holders.ts'
import { accountState } from './accounts.ts'
import { BUDGET_FIELDS, budgetsOf, productsOf, PRODUCTS_FIELD } from './budgets.ts'
import { grant } from './grant.ts'
import { keyColumns } from './keys.ts'
import { termFields, termsOf } from '../../../shared/pages/key-terms.ts'
import { showSecret } from '../../../shared/pages/key-secret.ts'
import { markOf } from './low-mark.ts'
import { onceName } from './once.ts'

type Detail = Account & { keys: Key[]; holders: AccountHolders }

export const accountView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/v1/accounts/${encodeURIComponent(id)}`
    const adminPath = `/v1/admin/accounts/${encodeURIComponent(id)}`
    return view<Detail>({
      title: 'Account',
      isLive: true,
      async load(signal) {
        const [account, holders] = await Promise.all([
          ask<Omit<Detail, 'holders'>>(path, { signal }),
          ask<AccountHolders>(adminPath, { signal }),
        ])
        return { ...account, holders }
      },
      show: (account) => [
        facts(
          ['Name', account.name ?? '–'],
          ['Id', copyable(account.id)],
          ['Mode', account.mode],
          ['State', badge(accountState(account))],
          ['Balance', amount(account.balance.usdcAtomic)],
          ['Held', amount(atomicOfCredits(account.balance.heldCredits))],
          [
            'Low mark',
            amount(
              account.lowMarkCredits === null ? null : atomicOfCredits(account.lowMarkCredits),
            ),
          ],
          ['Made', moment(account.createdAt)],
          account.closedAt === null ? null : ['Closed', moment(account.closedAt)],
        ),
        h(
          'p',
          { class: 'buttons' },
          account.closedAt === null && [
            button('New key …', () => addKey(account, shell), { class: 'main' }),
            button('Grant credits …', () =>
              grant(account.name ?? account.id, { accountId: account.id }, account.mode, shell),
            ),
            button('Change …', () => change(account, path, shell)),
            button('Move credits …', () => transfer(account, path, shell)),
            button('Close …', () => close(account, path, shell), { class: 'danger' }),
          ],
        ),
        h(
          'p',
          { class: 'buttons' },
          go('Its events', ['accounts', 'events'], { accountId: account.id }),
          go('Its ledger rows', ['ledger'], { accountId: account.id }),
          go('All its keys', ['keys'], { accountId: account.id }),
        ),
        section('Keys', table(keyColumns, account.keys, 'No key spends this balance.')),
        ...holdersOf(account.holders, adminPath, shell),
      ],
    })
  }

function addKey(account: Account, shell: Shell): void {
  askFor({
    title: `New key on ${account.name ?? account.id}`,
    fields: [
      { name: 'name', label: 'Name', required: true, hint: 'Who or what will use it' },
      ...BUDGET_FIELDS,
      PRODUCTS_FIELD,
      ...termFields(),
    ],
    action: 'Make the key',
    async submit({ name }, typed) {
      const made = await ask<Key & { key: string }>('/v1/keys', {
        method: 'POST',
        body: {
          name,
          accountId: account.id,
          budgets: budgetsOf(typed),
          ...productsOf(typed),
          ...termsOf(typed),
        },
      })
      showSecret(`Key ${made.name} is made`, made.key)
      shell.refresh()
    },
  })
}

function change(account: Account, path: string, shell: Shell): void {
  askFor({
    title: 'Change the account',
    fields: [
      { name: 'name', label: 'Name', value: account.name ?? '', required: true },
      {
        name: 'lowMark',
        label: 'Low mark',
        value: String(account.lowMarkCredits ?? ''),
        hint: 'Credits below which an event is sent; empty: none',
      },
    ],
    action: 'Save',
    async submit({ name }, { lowMark }) {
      const body = { name, ...(lowMark !== undefined && { lowMarkCredits: markOf(lowMark) }) }
      await ask(path, { method: 'PATCH', body })
      shell.refresh()
    },
  })
}

function transfer(account: Account, path: string, shell: Shell): void {
  const reference = onceName()
  askFor({
    title: `Move credits from ${account.name ?? account.id}`,
    fields: [
      { name: 'toAccountId', label: 'To account', required: true, hint: 'Its id' },
      { name: 'amount', label: 'Credits', required: true },
      { name: 'note', label: 'Note' },
    ],
    action: 'Move',
    async submit({ toAccountId, amount: typed = '', note }) {
      const parsed = parseCredits(typed)
      if (!parsed.ok) throw new InputError(`Credits ${parsed.why}.`)
      await ask(`${path}/transfer`, {
        method: 'POST',
        body: {
          toAccountId,
          amountCredits: parsed.credits,
          reference,
          ...(note && { note }),
        },
      })
      shell.refresh()
    },
  })
}

function close(account: Account, path: string, shell: Shell): void {
  askFor({
    title: `Close ${account.name ?? account.id}`,
    text: 'For good: its keys buy nothing more. What is left on its balance stays there.',
    action: 'Close for good',
    isDangerous: true,
    async submit() {
      await ask(`${path}/close`, { method: 'POST', body: {} })
      goTo(['accounts', account.id])
      shell.refresh()
    },
  })
}
