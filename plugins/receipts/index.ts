/** Signs receipts of charged answers, and offers where that is wanted. README.md says what is in them. */
import { Type } from 'typebox'
import { definePlugin, type PluginEnv } from '#kernel'
import { extensionName } from '../shared/payments/challenge-extensions.ts'
import { receiptCommand } from './command.ts'
import { DID_PATHS, didDocumentOf, didPlaceOf } from './did.ts'
import { didRoute } from './did-route.ts'
import { JwsSigner, keyOf, type ReceiptKey, JwsReceiptSigner, networkOfPayments } from './signer.ts'
import { SignedOffers } from './offers.ts'
import { RECEIPTS, RECEIPTS_KEY, VARIABLES } from './variables.ts'
import { walletsOf } from './wallets.ts'

const KEY_INFO = 'coinop receipts v1'
const SEED_BYTES = 32

const Config = Type.Object(
  {
    derived_key: Type.Optional(
      Type.Union([Type.Literal('listed'), Type.Literal('dropped')], {
        description:
          "'dropped': RECEIPTS_KEY alone counts, and receipts signed by the key derived from the master key are valid no more (after the master key leaked)",
      }),
    ),
  },
  { additionalProperties: false },
)

export default definePlugin({
  id: 'receipts',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: Config,
  variables: VARIABLES,
  reservedPaths: DID_PATHS,
  requires: ['vault', 'accounts'],
  commands: [receiptCommand],
  setup(env) {
    const keys = keysOf(env, env.config.derived_key ?? 'listed')
    const { did, path } = didPlaceOf(env.publicUrl)
    const routes = [didRoute(path, didDocumentOf(did, keys))]
    const wanted = env.variable(RECEIPTS)
    if (wanted === 'off') return { routes }
    const jws = new JwsSigner(did, keys[0])
    const receiptSigner = new JwsReceiptSigner({
      jws,
      network: networkOfPayments(env.provided),
      walletOf: walletsOf(env.service('accounts')),
    })
    if (wanted === 'receipts') return { routes, receiptSigner }
    const offers = new SignedOffers(jws, env.now)
    return { routes, receiptSigner, provides: { [extensionName('offer-receipt')]: offers } }
  },
})

/** The first signs; the derived one stays listed, because it signed until RECEIPTS_KEY was set. */
function keysOf(
  env: PluginEnv,
  derived: 'listed' | 'dropped',
): readonly [ReceiptKey, ...ReceiptKey[]] {
  const [first, ...others] = env
    .variable(RECEIPTS_KEY)
    .map((seed) => keyOf(Buffer.from(seed, 'base64')))
  const ownKey = () => keyOf(env.service('vault').derive(KEY_INFO, SEED_BYTES))
  if (!first) return [ownKey()]
  return [first, ...others, ...(derived === 'listed' ? [ownKey()] : [])]
}
