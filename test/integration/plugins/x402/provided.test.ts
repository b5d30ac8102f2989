/** What x402 provides to other plugins: payments of another dialect over its own claims. */
import {
  concat,
  encodeErrorResult,
  getContractAddress,
  parseAbi,
  size,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { paymentsOf } from '../../../../plugins/x402/provided/payments.ts'
import type { TransferAuthorization } from '../../../../plugins/shared/payments/contract.ts'
import contracts from '../../../../plugins/x402/sandbox/contracts.json' with { type: 'json' }
import { startCanary } from '../../../attacks/canary.ts'
import { contractWallet, rpc, walletOn } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances, type X402Instance } from '../../../support/x402/instances.ts'
import { paidBy } from '../../../support/x402/payments.ts'
import { railCall, workQuote } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const open = x402Instances(ground, echoSkill({ id: 't.work' }))
let one: X402Instance
let other: X402Instance

beforeAll(async () => {
  ;[one, other] = await Promise.all([open(), open()])
})

/** The deployer by CREATE2 that every chain has: salt, then the code that makes the contract. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Code that makes a contract wallet: it stores the owner and returns the wallet's own code. */
function walletInit(owner: Address): Hex {
  const code = contracts.SandboxWallet.runtimeCode as Hex
  const length = toHex(size(code), { size: 2 })
  const storesOwner = concat(['0x73', owner, '0x600055'])
  const returnsCode = concat(['0x61', length, '0x6026600039', '0x61', length, '0x6000f3'])
  return concat([storesOwner, returnsCode, code])
}

/** Code that answers every call with the error that it is to be asked at `url` instead (EIP-3668). */
function elsewhere(url: string): Hex {
  const error = encodeErrorResult({
    abi: parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
    ]),
    args: [zeroAddress, [url], '0x', '0x00000000', '0x'],
  })
  const length = toHex(size(error), { size: 2 })
  // The error, with the contract's own address as its sender.
  const code = concat(['0x61', length, '0x6012600039', '0x30600452', '0x61', length, '0x6000fd'])
  return concat([code, error])
}

const call = (fingerprint = 'f') => railCall(workQuote, { fingerprint })
type Signed = Awaited<ReturnType<X402Instance['signed']>>

/** The same payment, as another dialect hands it over. */
function foreign(
  { accepted, payload }: Signed,
  bend: Partial<TransferAuthorization> = {},
): TransferAuthorization {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization
  return {
    network: accepted.network,
    asset: accepted.asset,
    from,
    to,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
    signature: payload.signature,
    ...bend,
  }
}
const answer = { status: 200, headers: {}, body: Buffer.from('{"made":1}') }

describe('a payment of another dialect', () => {
  it('is claimed, captured and had again, with a receipt that says what was paid', async () => {
    const payments = paymentsOf(one.rail)
    const signed = await one.signed()
    const authorization = foreign(signed)
    const checked = await payments.precheck(call(), authorization)
    const payer = `x402:${authorization.from.toLowerCase()}`
    expect(checked).toMatchObject({ outcome: 'ok', payer })
    expect(await payments.inspect(call(), authorization)).toMatchObject({ outcome: 'ok', payer })
    const authorized = await payments.authorize(call(), authorization, 'mpp')
    if (authorized.outcome !== 'authorized') throw new Error(JSON.stringify(authorized))
    const captured = await payments.rail.capture(authorized.authorization, 10_000n, answer)
    expect(captured).toMatchObject({
      outcome: 'captured',
      receipt: {
        chargedAtomic: 10_000n,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        payment: {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: signed.accepted.asset,
          amount: '10000',
        },
      },
    })
    // The same signature as an x402 payment, on another instance: the kept answer.
    const again = await other.rail.authorize(call(), paidBy(signed))
    expect(again).toMatchObject({ outcome: 'replay', receipt: { chargedAtomic: 0n } })
    const elsewhere = await payments.authorize(call('another request'), foreign(signed), 'mpp')
    expect(elsewhere).toMatchObject({ outcome: 'refused', failure: { code: 'PAYMENT_FAILED' } })
  })

  it.each<[string, Partial<TransferAuthorization>]>([
    ['of another amount', { value: 1n }],
    ['to another receiver', { to: '0x1111111111111111111111111111111111111111' }],
    ['that has ended', { validBefore: 1n }],
    ['in another token', { asset: '0x1111111111111111111111111111111111111111' }],
    ['on another network', { network: 'eip155:1' }],
    ['with a bent nonce', { nonce: '0x12' }],
    ['without a signature', { signature: '' }],
  ])('%s is refused and claims nothing', async (_, bend) => {
    const payments = paymentsOf(one.rail)
    const authorization = foreign(await one.signed(), bend)
    const refused = { outcome: 'refused', failure: { code: 'PAYMENT_FAILED' } }
    expect(await payments.precheck(call(), authorization)).toMatchObject(refused)
    expect(await payments.authorize(call(), authorization, 'mpp')).toMatchObject(refused)
  })

  it('and x402, eight at once on two instances, are one transfer', async () => {
    const signed = await one.signed()
    const before = await ground.received()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { rail } = index % 2 === 0 ? one : other
        const outcome =
          index < 4
            ? await rail.authorize(call('race'), paidBy(signed))
            : await paymentsOf(rail).authorize(call('race'), foreign(signed), 'mpp')
        if (outcome.outcome !== 'authorized') return outcome.outcome
        return (await rail.capture(outcome.authorization, 10_000n, answer)).outcome
      }),
    )
    expect(outcomes.filter((outcome) => outcome === 'captured')).toHaveLength(1)
    // While it runs the others are told to come back; afterwards they get its answer.
    const rest = outcomes.filter((outcome) => outcome !== 'captured')
    expect(rest.filter((outcome) => outcome === 'refused' || outcome === 'replay')).toHaveLength(7)
    expect((await ground.received()) - before).toBe(10_000n)
  })
})

describe('networks', () => {
  it('say what is taken, and what a price is in its units', () => {
    const payments = paymentsOf(one.rail)
    const [main] = payments.networks()
    expect(main).toMatchObject({
      kind: 'evm',
      network: 'eip155:8453',
      chainId: 8453,
      decimals: 6,
      domain: { name: 'USD Coin', version: '2' },
      isOpen: true,
    })
    expect(payments.amountOn({ ...main!, decimals: 18 }, 10_000n)).toBe(10n ** 16n)
    expect(payments.validForSeconds(workQuote)).toBe(90)
  })
})

describe('the signer of a message', () => {
  const message = 'example.com wants you to sign in'
  const signedBy = (address: string, signature: string, chainId = 8453) =>
    paymentsOf(one.rail).signedBy({ chainId, address, message, signature })

  it('is a key, a contract or nobody', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = await account.signMessage({ message })
    expect(await signedBy(account.address, signature)).toBe('key')
    expect(await signedBy(account.address, signature, 1)).toBe('key')
    expect(await signedBy(ground.buyer.address, signature)).toBe('nobody')
    expect(await signedBy(account.address, '0x12')).toBe('nobody')
    expect(await signedBy('0x12', signature)).toBe('nobody')
    const contract = await contractWallet(ground.chain)
    expect(await signedBy(contract.address, await contract.signMessage({ message }))).toBe(
      'contract',
    )
    expect(await signedBy(contract.address, signature)).toBe('nobody')
  })

  it('cannot be told where no node is asked', async () => {
    const contract = await contractWallet(ground.chain)
    expect(await signedBy(contract.address, await contract.signMessage({ message }), 1)).toBe(
      'unknown',
    )
  })

  it('has the gateway fetch nothing, whatever its contract says', async () => {
    const door = await startCanary()
    const stranger = privateKeyToAccount(generatePrivateKey())
    const code = elsewhere(`http://127.0.0.1:${door.port}/{sender}/{data}`)
    await rpc(ground.chain, 'anvil_setCode', [stranger.address, code])
    const signature = await ground.buyer.signMessage({ message })
    expect(await signedBy(stranger.address, signature)).toBe('nobody')
    expect(door.touched()).toBe(0)
    await door.close()
  })

  it('is not read to its end, and has no more gas than a payment, where a contract gives it', async () => {
    // PUSH4 magic, PUSH1 0xe0, SHL: the answer that takes a signature.
    const takes = '631626ba7e60e01b'
    const answers = {
      contract: `0x${takes}60005260206000f3`,
      // The same, and 256 KiB behind it.
      tooLong: `0x${takes}600052620400006000f3`,
      // Reverts with as much.
      failing: '0x620400006000fd',
      // Takes it if it has less gas than three million.
      frugal: `0x5a622dc6c011${takes}0260005260206000f3`,
    }
    const found: Record<string, string> = {}
    const signature = await ground.buyer.signMessage({ message })
    for (const [name, code] of Object.entries(answers)) {
      const { address } = privateKeyToAccount(generatePrivateKey())
      await rpc(ground.chain, 'anvil_setCode', [address, code])
      found[name] = await signedBy(address, signature)
    }
    expect(found).toEqual({
      contract: 'contract',
      tooLong: 'nobody',
      failing: 'nobody',
      frugal: 'contract',
    })
  })

  describe('of a wallet whose client says how it is deployed', () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const init = walletInit(owner.address)
    const walletOf = (salt: Hex) => {
      const address = getContractAddress({
        opcode: 'CREATE2',
        from: DEPLOYER,
        salt,
        bytecode: init,
      })
      const deployment = { to: DEPLOYER, data: concat([salt, init]) } as const
      const wrapped = async (by: PrivateKeyAccount) =>
        serializeErc6492Signature({
          address: DEPLOYER,
          data: deployment.data,
          signature: await by.signMessage({ message }),
        })
      return { address, deployment, wrapped }
    }

    it('is found by its deployment, which changes nothing', async () => {
      const { address, wrapped } = walletOf(toHex(7, { size: 32 }))
      expect(await signedBy(address, await wrapped(owner))).toBe('contract')
      expect(await signedBy(address, await wrapped(ground.buyer))).toBe('nobody')
      // An address that this deployment does not make.
      const stranger = privateKeyToAccount(generatePrivateKey())
      expect(await signedBy(stranger.address, await wrapped(owner))).toBe('nobody')
      expect(await rpc(ground.chain, 'eth_getCode', [address, 'latest'])).toBe('0x')
    })

    it('is found where it is deployed already', async () => {
      const { address, deployment, wrapped } = walletOf(toHex(8, { size: 32 }))
      await (await walletOn(ground.chain)).send(deployment)
      expect(await signedBy(address, await wrapped(owner))).toBe('contract')
      expect(await signedBy(address, await wrapped(ground.buyer))).toBe('nobody')
    })
  })
})
