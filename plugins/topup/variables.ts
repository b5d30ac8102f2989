/** The environment variables of top-ups. */
import { flag, optional, optionalUrl, usdToAtomic, type Variable } from '#kernel'

/** The smallest purchase from a payment provider, in atomic units: below it fees eat the sale. */
export const MIN_PREPAID_BUNDLE: Variable<bigint> = {
  name: 'MIN_PREPAID_BUNDLE',
  expected: 'an amount of US dollars',
  example: '5',
  fallback: 5_000_000n,
  fallbackText: '5',
  after: 'CONTACT_EMAIL',
  parse: (text) => {
    const parsed = /^\d+(\.\d+)?$/.test(text) ? usdToAtomic(Number(text)) : null
    return parsed?.ok ? { ok: true, value: parsed.amountAtomic } : { ok: false }
  },
}
/** Whether top-ups by card or transfer are open. */
export const PREPAID_FIAT = flag('PREPAID_FIAT', false, { after: 'MIN_PREPAID_BUNDLE' })

const SECRET = { expected: 'a secret of the provider', example: '…', isSecret: true }
const URL_EXAMPLE = 'https://provider.example.com'
export const PROVIDER_A_SECRET_KEY = optional('PROVIDER_A_SECRET_KEY', SECRET)
export const PROVIDER_A_URL = optionalUrl('PROVIDER_A_URL', URL_EXAMPLE)
export const PROVIDER_B_SECRET_KEY = optional('PROVIDER_B_SECRET_KEY', SECRET)
export const PROVIDER_B_WEBHOOK_HASH = optional('PROVIDER_B_WEBHOOK_HASH', SECRET)
export const PROVIDER_B_URL = optionalUrl('PROVIDER_B_URL', URL_EXAMPLE)

export const VARIABLES: readonly Variable[] = [
  MIN_PREPAID_BUNDLE,
  PREPAID_FIAT,
  PROVIDER_A_SECRET_KEY,
  PROVIDER_A_URL,
  PROVIDER_B_SECRET_KEY,
  PROVIDER_B_WEBHOOK_HASH,
  PROVIDER_B_URL,
]
