/** The environment variables of wallet sign-in. */
import { duration, flag, type Variable } from '#kernel'

/** Whether wallets can spend credits by signing in; also off where PUBLIC_URL is http and not this machine. */
export const WALLET_CREDITS = flag('WALLET_CREDITS', true)
/** How long a proof is good after its 402. */
export const WALLET_PROOF_TTL = duration('WALLET_PROOF_TTL', '5m')
export const WALLET_SESSION_TTL = duration('WALLET_SESSION_TTL', '15m')

export const VARIABLES: readonly Variable[] = [WALLET_CREDITS, WALLET_PROOF_TTL, WALLET_SESSION_TTL]
