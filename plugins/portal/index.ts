/**
 * The customer's pages at /account: signing in by wallet, e-mail, passkey or key; balance, keys, apps,
 * calls, receipts and buying. Nothing here uses the operator's rights, and every question carries the
 * account of the session.
 */
import { definePlugin, repeat, type Background, type Health } from '#kernel'
import { Type } from 'typebox'
import { ACCOUNT_SESSIONS } from '../shared/account-sessions/contract.ts'
import { OAUTH_CLIENTS, type OauthClients } from '../shared/portal/clients.ts'
import { PORTAL_SESSIONS } from '../shared/portal/contract.ts'
import { PAYMENTS, type Payments } from '../shared/payments/contract.ts'
import { PLANS_DESK, type PlansDesk } from '../shared/plans/contract.ts'
import { RELAY_DESK, type RelayDesk } from '../shared/relay/contract.ts'
import { DatabaseClock } from '../shared/storage/database-clock.ts'
import { deleteInSlices } from '../shared/storage/delete-in-slices.ts'
import { TOPUP_DESK, type TopupDesk } from '../shared/topup/contract.ts'
import { buyingRoutes } from './api/buying.ts'
import { callRoutes } from './api/calls.ts'
import { grantRoutes } from './api/grants.ts'
import { keyRoutes } from './api/keys.ts'
import { meRoutes } from './api/me.ts'
import { receiptRoutes } from './api/receipts.ts'
import { relayRoutes } from './api/relay.ts'
import { settingsRoutes } from './api/settings.ts'
import { planRoutes } from './api/plans.ts'
import { usageRoutes } from './api/usage.ts'
import type { PageFacts } from './documents/layout.ts'
import { noteLowBalances, OLD_NOTICES, sendNotices } from './low-balance.ts'
import { closedRoutes } from './closed.ts'
import { Mailer } from './mailer.ts'
import { MIGRATIONS } from './migrations.ts'
import { Owners } from './sign-in/owners.ts'
import { People } from './people.ts'
import { accountSessions } from './account-sessions.ts'
import { portalSessions } from './provide.ts'
import { documentRoutes } from './routes.ts'
import { ENDED_SESSIONS, Sessions, type Way } from './sessions.ts'
import { Settings } from './settings.ts'
import { ENDED_LINKS } from './sign-in/mail.ts'
import { ENDED_NONCES, Nonces } from './sign-in/nonces.ts'
import type { SignInDeps } from './sign-in/contract.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { FOLDER, siteOf } from './site.ts'
import type { TabPath } from './tabs.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'
import { MAIL_FROM, SMTP_URL, VARIABLES } from './variables.ts'

const PURGE_EVERY_MS = 10 * 60_000
const LOW_BALANCE_EVERY_MS = 60_000

export default definePlugin({
  id: 'portal',
  version: '1.0.0',
  kernel: '^1.3.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: VARIABLES,
  reservedPaths: ['/account/sign-in', '/account/sign-out', '/account/api'],
  requires: ['accounts', 'accountKeys', 'calls', 'documents', 'outbound', 'statements', 'vault'],
  migrations: MIGRATIONS,
  setup(env) {
    const { db, log, sandbox } = env
    const site = siteOf(env.publicUrl)
    const { operator } = env.service('documents')
    const relay = () => env.provided<RelayDesk>(RELAY_DESK)
    const plans = () => env.provided<PlansDesk>(PLANS_DESK)
    const hiddenTabs = (): TabPath[] => [
      ...(relay() === null ? (['webhooks'] as const) : []),
      ...(plans() === null ? (['plan'] as const) : []),
    ]
    const facts: PageFacts = { site, operator, isSandbox: sandbox, hiddenTabs }
    if (site.closedBecause !== null) {
      return { routes: closedRoutes(facts), health: [closedHealth(site.closedBecause)] }
    }
    const accounts = env.service('accounts')
    const accountKeys = env.service('accountKeys')
    const sessions = new Sessions(db)
    const vault = env.service('vault')
    const settings = new Settings(db, vault)
    const nonces = new Nonces(db)
    const owners = new Owners({ db, site, accounts, sessions, settings })
    const smtpUrl = env.variable(SMTP_URL)
    const operatorName = operator.name ?? site.host
    const mailer =
      smtpUrl === null
        ? null
        : new Mailer(
            smtpUrl,
            env.variable(MAIL_FROM) ?? `accounts@${new URL(site.uri).hostname}`,
            log,
          )
    const closedWays = new Set<Way>([
      ...(mailer === null ? (['email'] as const) : []),
      ...(site.passkeyHost === null ? (['passkey'] as const) : []),
    ])
    const clock = new DatabaseClock(db)
    const now = () => clock.now()
    const people = new People({ site, closedWays, sessions, settings, accounts, accountKeys, now })
    const signIn: SignInDeps = {
      facts,
      people,
      sessions,
      accounts,
      mode: sandbox ? 'test' : 'live',
      owners,
      keys: { accounts, accountKeys, caller: env.service('calls') },
      wallets: { site, nonces, payments: () => env.provided<Payments>(PAYMENTS), now },
      mail: mailer && { db, site, mailer, operatorName },
      passkeys:
        site.passkeyHost === null
          ? null
          : { db, site: { ...site, passkeyHost: site.passkeyHost }, nonces, operatorName },
    }
    const rounds: Background[] = []
    let lowBalances: Background | null = null
    const outbound = env.service('outbound')
    const statements = env.service('statements')
    const api = { site, people, log, accounts, accountKeys, statements, sessions, settings, now }
    const apiRoutes = [
      ...meRoutes(api),
      ...keyRoutes(api),
      ...grantRoutes({ ...api, clients: () => env.provided<OauthClients>(OAUTH_CLIENTS) }),
      ...callRoutes(api),
      ...usageRoutes(api),
      ...receiptRoutes({ ...api, facts }),
      ...buyingRoutes({
        ...api,
        desk: () => env.provided<TopupDesk>(TOPUP_DESK),
        payments: () => env.provided<Payments>(PAYMENTS),
      }),
      ...planRoutes({ ...api, desk: plans }),
      ...relayRoutes({ ...api, desk: relay }),
      ...settingsRoutes({ ...signIn, ...api, db, outbound, onNotices: () => lowBalances?.wake() }),
    ]
    const lowBalance = { db, site, accounts, settings, vault, mailer, operatorName, outbound, log }
    return {
      home: { path: FOLDER, title: 'Your account' },
      accountPage: {
        path: FOLDER,
        buyPath: `${FOLDER}/buy`,
        budgetsPath: `${FOLDER}/apps`,
      },
      provides: {
        [PORTAL_SESSIONS]: portalSessions(people, facts),
        [ACCOUNT_SESSIONS]: accountSessions(sessions),
      },
      routes: [
        ...documentRoutes(facts, people),
        ...signInRoutes(signIn),
        ...unsubscribeRoutes({ db, facts, settings, vault }),
        ...apiRoutes,
      ],
      ...(mailer && { health: [mailer.health()], gauges: [mailer.gauge()] }),
      async ready() {
        lowBalances = repeat(
          { name: 'low balances', everyMs: LOW_BALANCE_EVERY_MS, log },
          async (signal) => {
            await noteLowBalances(lowBalance, signal)
            await sendNotices(lowBalance, signal)
          },
        )
        const purge = repeat(
          { name: 'account sign-ins purge', everyMs: PURGE_EVERY_MS, log },
          async (signal) => {
            // Anybody may ask for nonces: what a flood left is gone after one round.
            for (const ended of [ENDED_SESSIONS, ENDED_NONCES, ENDED_LINKS, OLD_NOTICES]) {
              await deleteInSlices(db, ended, signal)
            }
          },
        )
        rounds.push(lowBalances, purge, clock.follow('clock of account pages', log))
      },
      async stop() {
        await Promise.all(rounds.map((round) => round.stop()))
      },
    }
  },
})

function closedHealth(reason: string): Health {
  return {
    name: 'account_pages',
    critical: false,
    timeoutMs: 1000,
    probe: async () => ({ state: 'degraded', detail: reason }),
  }
}
