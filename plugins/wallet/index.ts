/**
 * Credits that belong to a wallet: bought by one payment, spent by signing in. README.md has the rules.
 */
import { Type } from 'typebox'
import { definePlugin, isLoopbackHost, repeat, type Background, type PluginEnv } from '#kernel'
import { extensionName } from '../shared/payments/challenge-extensions.ts'
import { PAYMENTS, type Payments } from '../shared/payments/contract.ts'
import { DatabaseClock } from '../shared/storage/database-clock.ts'
import { deleteInSlices } from '../shared/storage/delete-in-slices.ts'
import { WalletIdentifier } from './identifier.ts'
import { SignInExtension } from './in-challenges.ts'
import { MIGRATIONS } from './migrations.ts'
import { EXTENSION } from './offer.ts'
import { walletRoutes } from './routes.ts'
import { Sessions } from './sessions.ts'
import { SignIn } from './sign-in.ts'
import { UsedNonces } from './used-nonces.ts'
import { VARIABLES, WALLET_CREDITS, WALLET_PROOF_TTL, WALLET_SESSION_TTL } from './variables.ts'
import { Wallets } from './wallets.ts'

const KEY_INFO = 'coinop siwx v1'
const KEY_BYTES = 32
const PURGE_EVERY_MS = 600_000
/** Proofs that nobody could use again anyway, and sessions that are over. */
const ENDED = [
  { table: 'used_nonce', key: 'nonce', isOver: 'forget_at < now()' },
  { table: 'session', key: 'digest', isOver: 'expires_at < now()' },
]

export default definePlugin({
  id: 'wallet',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: VARIABLES,
  reservedPaths: ['/v1/wallets'],
  requires: ['accounts', 'catalog', 'vault'],
  migrations: MIGRATIONS,
  setup(env) {
    if (!isOpen(env)) return {}
    const { db, log, publicUrl } = env
    const accounts = env.service('accounts')
    const nonces = new UsedNonces(db)
    const wallets = new Wallets(accounts)
    const clock = new DatabaseClock(db)
    const sessions = new Sessions(db, wallets, clock)
    const signIn = new SignIn({
      settings: {
        domain: new URL(publicUrl).host,
        key: env.service('vault').derive(KEY_INFO, KEY_BYTES),
        ttlMs: env.variable(WALLET_PROOF_TTL),
      },
      publicUrl,
      nonces,
      wallets,
      clock,
      payments: () => env.provided<Payments>(PAYMENTS),
    })
    const extension = new SignInExtension(signIn, env.service('catalog'))
    const sessionTtlMs = env.variable(WALLET_SESSION_TTL)
    const work: Background[] = []
    return {
      identifiers: [new WalletIdentifier(signIn, sessions)],
      provides: { [extensionName(EXTENSION)]: extension },
      routes: walletRoutes({ signIn, sessions, accounts, sessionTtlMs }),
      async ready() {
        const options = { name: 'wallet sign-ins', everyMs: PURGE_EVERY_MS, log }
        const purging = repeat(options, async (stopping) => {
          for (const ended of ENDED) await deleteInSlices(env.db, ended, stopping)
        })
        work.push(purging, clock.follow('clock of wallet sign-ins', log))
      },
      async stop() {
        await Promise.all(work.map((one) => one.stop()))
      },
    }
  },
})

/** A signature that goes over an open line is somebody else's in the end: http is for this machine. */
function isOpen(env: PluginEnv): boolean {
  if (!env.variable(WALLET_CREDITS)) return false
  const { protocol, hostname } = new URL(env.publicUrl)
  return protocol === 'https:' || isLoopbackHost(hostname)
}
