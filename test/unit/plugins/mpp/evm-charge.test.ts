/** evm/charge: what is asked for, and the credentials that the client of mppx makes of it. */
import { Challenge, PaymentRequest } from 'mppx'
import { evm } from 'mppx/client'
import { assets, Methods } from 'mppx/evm'
import { verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  chargeRequest,
  isEvmCharge,
  nonceOf,
  readAuthorization,
  type EvmNetwork,
} from '../../../../plugins/mpp/charge/evm.ts'
import { isSourceOf } from '../../../../plugins/mpp/charge/method.ts'
import { encodeJcs } from '../../../../plugins/mpp/wire/base64url.ts'
import { opaqueOf } from '../../../../plugins/mpp/wire/binding.ts'
import { challengeText, idKey, idOf } from '../../../../plugins/mpp/wire/challenge.ts'
import { readCredential } from '../../../../plugins/mpp/wire/credential.ts'

const NETWORK: EvmNetwork = {
  kind: 'evm',
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  decimals: 6,
  domain: { name: 'USD Coin', version: '2' },
  payTo: '0x00000000219ab540356cbb839cbe05303d7705fa',
}
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)

function challenge() {
  const bound = {
    realm: 'api.example.com',
    method: 'evm',
    intent: 'charge',
    request: encodeJcs(chargeRequest(NETWORK, 20_000n)),
    expires: '2099-01-01T00:00:00.000Z',
    digest: null,
    header: null,
    opaque: opaqueOf({ transport: 'http', method: 'POST', target: '/v1/x' }),
  }
  return { id: idOf(idKey(Buffer.alloc(32, 1)), bound), ...bound }
}

it('asks for what mppx asks for, which its client signs and is read again', async () => {
  const asked = chargeRequest(NETWORK, 20_000n)
  const { asset: currency, payTo: recipient, chainId, decimals } = NETWORK
  const theirs = { amount: '0.02', currency, recipient, chainId, decimals } as never
  expect(encodeJcs(asked)).toBe(
    PaymentRequest.serialize(Methods.charge.schema.request.parse(theirs)),
  )

  const issued = challenge()
  const method = evm.charge({ account, currencies: [assets.base.USDC] })
  const authorization = await method.createCredential({
    challenge: Challenge.deserialize(challengeText(issued)) as never,
    context: {},
  })
  const read = readCredential({
    header: (name) => (name === 'authorization' ? authorization : null),
  })
  if (read.outcome !== 'read') throw new Error(JSON.stringify(read))
  expect(read.credential.challenge).toEqual(issued)
  const { source } = read.credential
  expect(isSourceOf(source!, 8453, account.address.toLowerCase())).toBe(true)
  expect(isSourceOf(source!, 1, account.address.toLowerCase())).toBe(false)

  const payload = readAuthorization(read.credential)
  if (payload.outcome !== 'read') throw new Error(JSON.stringify(payload))
  expect(payload.authorization).toMatchObject({
    from: account.address.toLowerCase(),
    to: NETWORK.payTo,
    value: 20_000n,
    validAfter: 0n,
    validBefore: BigInt(Date.parse(issued.expires) / 1000),
    nonce: nonceOf(issued),
  })
  const uint = (name: string) => ({ name, type: 'uint256' })
  const address = (name: string) => ({ name, type: 'address' })
  const isSigned = await verifyTypedData({
    address: account.address,
    domain: { ...NETWORK.domain!, chainId: 8453, verifyingContract: NETWORK.asset as never },
    types: {
      TransferWithAuthorization: [
        address('from'),
        address('to'),
        ...['value', 'validAfter', 'validBefore'].map(uint),
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: payload.authorization as never,
    signature: payload.authorization.signature as never,
  })
  expect(isSigned).toBe(true)
})

describe('a payload', () => {
  const good = {
    type: 'authorization',
    from: account.address,
    to: NETWORK.payTo,
    value: '1',
    validAfter: '0',
    validBefore: '9',
    nonce: `0x${'AB'.repeat(32)}`,
    signature: `0x${'01'.repeat(65)}`,
  }

  it('is read with lower-case addresses', () => {
    const read = readAuthorization({ payload: good })
    expect(read).toMatchObject({ outcome: 'read', authorization: { value: 1n, validBefore: 9n } })
    const longer = { ...good, signature: `0x${'01'.repeat(600)}`, value: String(2n ** 256n - 1n) }
    expect(readAuthorization({ payload: longer }).outcome).toBe('read')
  })

  it.each([
    ['type', 'hash'],
    ['type', undefined],
    ['from', '0x1'],
    ['to', `${NETWORK.payTo}0`],
    ['value', 1],
    ['value', '01'],
    ['value', '-1'],
    ['value', '1.0'],
    ['value', ''],
    ['validAfter', '0x0'],
    ['validBefore', null],
    ['validBefore', String(2n ** 256n)],
    ['nonce', '0x'],
    ['nonce', `0x${'zz'.repeat(32)}`],
    ['signature', '0x'],
    ['signature', '0x1'],
    ['signature', `0x${'01'.repeat(3000)}`],
  ])('with %s %j is malformed', (name, value) => {
    const read = readAuthorization({ payload: { ...good, [name]: value } })
    expect(read).toMatchObject({ outcome: 'malformed', what: expect.stringContaining(name) })
  })
})

it('is for tokens on EVM chains whose transfers can be authorized', () => {
  expect(isEvmCharge(NETWORK)).toBe(true)
  expect(isEvmCharge({ ...NETWORK, domain: null })).toBe(false)
  expect(isEvmCharge({ ...NETWORK, kind: 'solana', chainId: null })).toBe(false)
})
