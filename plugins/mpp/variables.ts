/** The environment variables of MPP. */
import { flag, list, optional, type Variable } from '#kernel'

/** What can be sold by. */
export const METHODS = ['evm/charge', 'tempo/charge'] as const
export type MppMethod = (typeof METHODS)[number]

/** Methods that are offered, in this order; none: MPP is off. */
export const MPP_METHODS: Variable<readonly MppMethod[]> = {
  name: 'MPP_METHODS',
  expected: `off, or one or more of ${METHODS.join(', ')}`,
  example: METHODS.join(','),
  fallback: [],
  fallbackText: 'off',
  after: 'X402_SIGNER_KEY',
  parse(text) {
    if (text.toLowerCase() === 'off') return { ok: true, value: [] }
    const names = text.split(',').map((name) => name.trim())
    const known = names.filter((name): name is MppMethod => METHODS.some((one) => one === name))
    return known.length === names.length ? { ok: true, value: [...new Set(known)] } : { ok: false }
  },
}

/** The first signs challenges, and those signed by any are taken; empty: derived from the master key. */
export const MPP_SECRET_KEY = list('MPP_SECRET_KEY', {
  expected: 'one or more secrets of at least 32 characters, comma-separated; the first signs',
  example: '…32 characters or more',
  accepts: (secret) => secret.length >= 32,
  isSecret: true,
  after: MPP_METHODS.name,
})

/** The protection space that challenges name; null: the host name of PUBLIC_URL. */
export const MPP_REALM = optional('MPP_REALM', {
  expected: 'a host name',
  example: 'api.example.com',
  accepts: (realm) => /^[A-Za-z0-9._:[\]-]{1,253}$/.test(realm),
  after: MPP_SECRET_KEY.name,
})

/** Whether a challenge is for one body, too: then a short one is read before it is paid for. */
export const MPP_BIND_BODY = flag('MPP_BIND_BODY', false, { after: MPP_REALM.name })

export const VARIABLES: readonly Variable[] = [
  MPP_METHODS,
  MPP_SECRET_KEY,
  MPP_REALM,
  MPP_BIND_BODY,
]
