/** tempo/charge: which signed transactions are read, and whose memo pays for what. */
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Abis, Account, Transaction } from 'viem/tempo'
import { describe, expect, it } from 'vitest'
import { isMemoOf } from '../../../../plugins/mpp/charge/tempo.ts'
import { readTempoTransfer } from '../../../../plugins/shared/payments/tempo-transaction.ts'
import { recoverSigner } from '../../../../plugins/shared/signing/ethereum.ts'

const KEY: Hex = `0x${'11'.repeat(32)}`
const payer = Account.fromSecp256k1(KEY)
const token: Hex = '0x20c0000000000000000000000000000000000000'
const to: Hex = `0x${'ab'.repeat(20)}`
const memo: Hex = `0x${'cd'.repeat(32)}`
const transfer = {
  to: token,
  data: encodeFunctionData({
    abi: Abis.tip20,
    functionName: 'transferWithMemo',
    args: [to, 7n, memo],
  }),
}
const EXPIRING = 2n ** 256n - 1n
const usual = {
  chainId: 42_431,
  gas: 100_000n,
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 1n,
  nonceKey: EXPIRING,
  nonce: 0,
  validBefore: 1_900_000_000,
  calls: [transfer],
}

const signed = (fields: Record<string, unknown> = {}, account = payer): Promise<string> =>
  account.signTransaction({ ...usual, ...fields } as never, {
    serializer: Transaction.serialize as never,
  })

describe('a transaction on Tempo', () => {
  it('is read as viem writes it, and its signer is found', async () => {
    const text = await signed({ validAfter: 5, feeToken: token })
    const read = readTempoTransfer(text)
    expect(read).toMatchObject({
      ok: true,
      transfer: {
        chainId: 42_431,
        token,
        to,
        amount: 7n,
        memo,
        data: transfer.data,
        validBefore: 1_900_000_000n,
        validAfter: 5n,
        feeToken: token,
      },
    })
    const { digest, signature } = (read as Extract<typeof read, { ok: true }>).transfer
    const signer = await recoverSigner(digest, signature)
    expect(signer).toBe(privateKeyToAccount(KEY).address.toLowerCase())
  })

  // viem 2.57.20 writes 48 random bits, Foundry's cast 64 (TIP-1106).
  it.each([1n, 2n ** 48n - 1n, 2n ** 64n - 1n])('is read with %s as its nonce', async (nonce) => {
    const [plain, other] = await Promise.all([signed(), signed({ nonce })])
    const [first, second] = [readTempoTransfer(plain), readTempoTransfer(other)]
    if (!first.ok || !second.ok) throw new Error('neither may be refused')
    const { digest, hash, signature, ...same } = first.transfer
    expect(second.transfer).toMatchObject(same)
    // Its hash is what names the payment.
    expect(second.transfer.hash).not.toBe(hash)
    expect(second.transfer.digest).not.toBe(digest)
    expect(second.transfer.signature).not.toBe(signature)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a nonce of more than 64 bits', { nonce: 2n ** 64n }],
    ['two calls', { calls: [transfer, transfer] }],
    ['no call of the token', { calls: [{ to: token, data: '0xa9059cbb' }] }],
    ['a call with value', { calls: [{ ...transfer, value: 1n }] }],
    ['a nonce of its account', { nonceKey: 0n, nonce: 3 }],
    ['an access list', { accessList: [{ address: to, storageKeys: [] }] }],
    ['a fee left to somebody else', { feePayer: true }],
  ])('is refused with %s', async (_, fields) => {
    expect(readTempoTransfer(await signed(fields)).ok).toBe(false)
  })

  it('is refused when a passkey or an access key signed it', async () => {
    const passkey = Account.fromP256(KEY)
    expect(readTempoTransfer(await signed({}, passkey as never))).toMatchObject({
      ok: false,
      what: expect.stringContaining('secp256k1'),
    })
  })

  it('is refused in any other encoding of the same fields', async () => {
    const text = await signed()
    const length = text.slice(4, 8)
    for (const other of [
      `${text}00`,
      text.toUpperCase(),
      // The list's length with a zero before it.
      text.replace(length, `f900${length.slice(2)}`),
      text.slice(0, -2),
      '0x76',
      '',
    ]) {
      expect(readTempoTransfer(other).ok, other).toBe(false)
    }
  })
})

describe('its memo', () => {
  /** As the client of mppx 0.11 made it for this challenge. */
  const challenge = { id: 'a'.repeat(43), realm: 'localhost' }
  const made = '0xef1ed7120135bfd7eb12e2daed83fd000000000000000000002fcc55e54fa0c2'

  it('is that of mppx, whoever the client is', () => {
    expect(isMemoOf(made, challenge)).toBe(true)
    const byClient = made.slice(0, 32) + '5e'.repeat(10) + made.slice(52)
    expect(isMemoOf(byClient, challenge)).toBe(true)
  })

  it('names the realm and the challenge', () => {
    expect(isMemoOf(made, { ...challenge, id: 'b'.repeat(43) })).toBe(false)
    expect(isMemoOf(made, { ...challenge, realm: 'localhos' })).toBe(false)
    expect(isMemoOf(memo, challenge)).toBe(false)
    expect(isMemoOf(`${made}00`, challenge)).toBe(false)
  })
})
