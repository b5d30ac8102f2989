/** What holds an account open: apps and wallets with their grants, sign-ins, sessions, purchases. */
import { ask } from '../api.ts'
import { atomicOfCredits } from '../../../shared/pages/amount.ts'
import { browserOf } from '../../../shared/pages/browser-name.ts'
import { button, type Child } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { amount, badge, go, identifier, section } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import type { Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { AccountHolders, Grant, Owner, PortalSession } from '../wire/accounts.ts'
import { budgetState, budgetsText } from './budgets.ts'
import { entryColumns } from './ledger.ts'

const PURCHASE = ['Time', 'Kind', 'Amount', 'From', 'To', 'Note']

/** The sections of an account's page; `path` is that of its admin route. */
export function holdersOf(holders: AccountHolders, path: string, shell: Shell): Child[] {
  const { grants, owners, sessions, purchases } = holders
  return [
    section(
      'Apps and wallets',
      table(grantColumns(shell), grants, 'Nothing spends this balance but its keys.'),
    ),
    section(
      'Sign-ins',
      table(ownerColumns(path, shell), owners, 'Nobody signs in to this account.'),
    ),
    sessions !== null &&
      section(
        'Sessions',
        table(sessionColumns(path, shell), sessions, 'Nobody is signed in at this moment.'),
      ),
    section(
      'Purchases',
      table(
        entryColumns.filter(({ name }) => PURCHASE.includes(name)),
        purchases,
        'No credits were bought, granted or moved.',
      ),
    ),
  ]
}

const grantColumns = (shell: Shell): readonly Column<Grant>[] => [
  { name: 'Name', show: ({ name, id }) => go(name, ['keys', id]) },
  { name: 'Made by', show: ({ madeBy }) => madeBy },
  { name: 'State', show: ({ revokedAt }) => badge(revokedAt === null ? 'active' : 'revoked') },
  { name: 'Budget', show: budgetOf },
  {
    name: 'Spent today',
    isNumber: true,
    show: ({ spentTodayCredits }) => amount(atomicOfCredits(spentTodayCredits)),
  },
  { name: 'Products', show: ({ products }) => products?.join(', ') ?? 'all' },
  {
    name: 'Ends with',
    show: ({ parentKeyId }) => identifier(parentKeyId, ['keys', parentKeyId ?? '']),
  },
  { name: 'Last call', show: ({ lastUsedAt }) => moment(lastUsedAt) },
  {
    name: 'Change',
    show: (grant) => grant.revokedAt === null && button('End …', () => endGrant(grant, shell)),
  },
]

function budgetOf(grant: Grant): Child {
  const state = budgetState(grant.budgets, grant)
  return [budgetsText(grant.budgets) || '–', state !== 'ok' && [' ', badge(state)]]
}

const ownerColumns = (path: string, shell: Shell): readonly Column<Owner>[] => [
  { name: 'Who', show: ({ subject }) => subject },
  { name: 'Since', show: ({ addedAt }) => moment(addedAt) },
  { name: 'Change', show: (owner) => button('Remove …', () => removeOwner(owner, path, shell)) },
]

const sessionColumns = (path: string, shell: Shell): readonly Column<PortalSession>[] => [
  { name: 'By', show: ({ way }) => way },
  { name: 'Key', show: ({ apiKeyId }) => identifier(apiKeyId, ['keys', apiKeyId ?? '']) },
  { name: 'Address', show: ({ address }) => address },
  { name: 'Browser', show: ({ agent }) => browserOf(agent) },
  { name: 'Began', show: ({ createdAt }) => moment(createdAt) },
  { name: 'Last use', show: ({ usedAt }) => moment(usedAt) },
  { name: 'Change', show: (session) => button('End …', () => endSession(session, path, shell)) },
]

/** By it the account pages begin checkouts, whose credits come later. */
const PAGES_OWN = 'portal'

function endGrant({ id, name, madeBy }: Grant, shell: Shell): void {
  askFor({
    title: `End ${name}`,
    text:
      madeBy === PAGES_OWN
        ? 'For good: the account pages can begin no card checkout for this account any more, and what is paid in those that run is not credited but flagged.'
        : 'For good, on every instance within a second: its tokens and calls are refused from then on.',
    action: 'End for good',
    isDangerous: true,
    async submit() {
      await ask(`/v1/keys/${encodeURIComponent(id)}/revoke`, { method: 'POST', body: {} })
      shell.refresh()
    },
  })
}

function removeOwner({ subject }: Owner, path: string, shell: Shell): void {
  askFor({
    title: 'Remove this way in',
    text: `${subject} no longer leads to this account. Sessions that were opened this way end; others are ended below.`,
    action: 'Remove',
    isDangerous: true,
    async submit() {
      await ask(`${path}/owners/remove`, { method: 'POST', body: { subject } })
      shell.refresh()
    },
  })
}

function endSession({ id, address }: PortalSession, path: string, shell: Shell): void {
  askFor({
    title: 'End this session',
    text: `Whoever is signed in from ${address} has to sign in again.`,
    action: 'End it',
    isDangerous: true,
    async submit() {
      await ask(`${path}/sessions/end`, { method: 'POST', body: { id } })
      shell.refresh()
    },
  })
}
