/** One API key: what it has, what it may, and what an operator can do with it. */
import { ask } from '../api.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor, tell } from '../../../shared/pages/dialog.ts'
import { amount, copyable, facts, go, section } from '../../../shared/pages/parts.ts'
import { askToRotate } from '../../../shared/pages/key-secret.ts'
import { keyBadge, termFacts, termFields, termsOf } from '../../../shared/pages/key-terms.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { Key } from '../wire/accounts.ts'
import {
  BUDGET_FIELDS,
  budgetsCell,
  budgetsOf,
  productBudgetsTable,
  productsOf,
  PRODUCTS_FIELD,
} from './budgets.ts'
import { grant } from './grant.ts'
import { LIMIT_FIELDS, limitsOf, limitsText } from './key-limits.ts'
import { keyStart } from './keys.ts'

export const keyView =
  (id: string): MakeView =>
  (shell) => {
    const path = `/v1/keys/${encodeURIComponent(id)}`
    return view<Key>({
      title: 'Key',
      isLive: true,
      load: (signal) => ask<Key>(path, { signal }),
      show: (key) => [
        facts(
          ['Name', key.name],
          ['Id', copyable(key.id)],
          key.kind === 'grant' ? ['Grant of', key.madeBy] : ['Starts with', keyStart(key)],
          key.parentKeyId === null
            ? null
            : ['Ends with', go('the key that asked for it', ['keys', key.parentKeyId])],
          ['Mode', key.mode],
          ['State', keyBadge(key)],
          ['Balance', amount(key.balance.usdcAtomic)],
          ['Held', amount(atomicOfCredits(key.balance.heldCredits))],
          ['Account', go('the account of this balance', ['accounts', key.accountId])],
          ['Spent today (UTC)', amount(atomicOfCredits(key.spentTodayCredits))],
          ['Spent this month (UTC)', amount(atomicOfCredits(key.spentMonthCredits))],
          ['Budgets', budgetsCell(key)],
          ['Products', key.products === null ? 'all' : key.products.join(', ') || 'none'],
          ['Limits', limitsText(key)],
          ...termFacts(key),
          ['Made', moment(key.createdAt)],
          key.revokedAt === null ? null : ['Revoked', moment(key.revokedAt)],
        ),
        h(
          'p',
          { class: 'buttons' },
          key.revokedAt === null && [
            button('Grant credits …', () => grant(key.name, { apiKeyId: key.id }, key.mode, shell)),
            button('Start a top-up …', () => startTopup(key)),
            button('Change …', () => change(key, path, shell)),
            button('Budget of a product …', () => changeProduct(key, path, shell)),
            key.kind === 'key' &&
              button('New credential …', () =>
                askToRotate(ask, { name: key.name, path, stays: 'Balance, limits and id' }, shell),
              ),
            button('Revoke …', () => revoke(key, path, shell), { class: 'danger' }),
          ],
        ),
        h(
          'p',
          { class: 'buttons' },
          go('Its calls', ['calls'], { apiKeyId: key.id }),
          go('Its ledger rows', ['ledger'], { apiKeyId: key.id }),
        ),
        Object.keys(key.productBudgets).length > 0 &&
          section('Budgets of single products', productBudgetsTable(key.productBudgets)),
      ],
    })
  }

function startTopup(key: Key): void {
  askFor({
    title: `Top up ${key.name}`,
    text: 'Starts a card or mobile checkout; its link is for whoever pays. The credits come once the provider confirms.',
    fields: [
      { name: 'amountUsd', label: 'US dollars', required: true },
      { name: 'provider', label: 'Provider', options: ['provider_a', 'provider_b'] },
      { name: 'email', label: 'E-mail of the payer', hint: 'Some providers need it' },
    ],
    action: 'Start',
    async submit({ amountUsd = '', provider, email }) {
      if (!/^\d{1,7}(\.\d{1,2})?$/.test(amountUsd)) {
        throw new InputError('US dollars must be an amount such as 20 or 12.50.')
      }
      const started = await ask<{ authorizationUrl: string }>('/v1/credits/topup/initialize', {
        method: 'POST',
        body: {
          apiKeyId: key.id,
          amountUsd: Number(amountUsd),
          provider,
          ...(email && { email }),
        },
      })
      tell('The checkout has started', h('p', {}, copyable(started.authorizationUrl)))
    },
  })
}

function change(key: Key, path: string, shell: Shell): void {
  const { name, budgets, products, rpmLimit, burstLimit } = key
  const known = { ...budgets, rpmLimit, burstLimit }
  askFor({
    title: `Change ${name}`,
    fields: [
      { name: 'name', label: 'Name', value: name, required: true },
      ...[...BUDGET_FIELDS, ...LIMIT_FIELDS].map((field) => ({
        ...field,
        value: String(known[field.name as keyof typeof known] ?? ''),
      })),
      { ...PRODUCTS_FIELD, value: products?.join(', ') ?? '' },
      ...termFields(key),
    ],
    action: 'Save',
    async submit({ name: newName }, changed) {
      const spending = { budgets: budgetsOf(changed), ...productsOf(changed) }
      const body = { name: newName, ...spending, ...limitsOf(changed), ...termsOf(changed, key) }
      await ask(path, { method: 'PATCH', body })
      shell.refresh()
    },
  })
}

function changeProduct(key: Key, path: string, shell: Shell): void {
  askFor({
    title: `Budget of a product for ${key.name}`,
    text: 'Within the budgets of the key. With all fields empty the product has none of its own.',
    fields: [
      { name: 'product', label: 'Product', required: true, hint: 'Its id' },
      ...BUDGET_FIELDS,
    ],
    action: 'Save',
    async submit({ product = '', ...caps }) {
      await ask(path, { method: 'PATCH', body: { productBudgets: { [product]: budgetsOf(caps) } } })
      shell.refresh()
    },
  })
}

function revoke(key: Key, path: string, shell: Shell): void {
  askFor({
    title: `Revoke ${key.name}`,
    text: 'For good, on every instance within a second. What is left on its balance stays there.',
    action: 'Revoke for good',
    isDangerous: true,
    async submit() {
      await ask(`${path}/revoke`, { method: 'POST', body: {} })
      shell.refresh()
    },
  })
}
