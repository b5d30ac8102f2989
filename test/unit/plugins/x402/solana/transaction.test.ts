/** The parser of version 0 transactions: what @solana/kit writes it reads, and junk it survives. */
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  MAX_TRANSACTION_BYTES,
  readTransaction,
} from '../../../../../plugins/x402/solana/transaction.ts'
import { sketchPayment, wireOf } from '../../../../support/x402/solana-payments.ts'

let wire: Buffer

beforeAll(async () => {
  wire = Buffer.from(await wireOf(await sketchPayment()), 'base64')
})

describe('a transaction of version 0', () => {
  it('is read as @solana/kit reads it', () => {
    const read = readTransaction(wire)
    if (!read.ok) throw new Error(read.detail)
    const { transaction } = read
    const { messageBytes, signatures } = getTransactionDecoder().decode(wire)
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
    if (compiled.version !== 0) throw new Error('version 0')
    expect(transaction.message).toEqual(Uint8Array.from(messageBytes))
    expect(transaction.signers).toEqual(Object.keys(signatures))
    expect(transaction.signatures[1]).toEqual(Uint8Array.from(Object.values(signatures)[1]!))
    expect(transaction.signatures[0]).toEqual(new Uint8Array(64))
    expect(transaction.blockhash).toBe(compiled.lifetimeToken)
    expect(transaction.lookupTables).toBe(0)
    expect(transaction.instructions).toEqual(
      compiled.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
        program: compiled.staticAccounts[programAddressIndex],
        accounts: (accountIndices ?? []).map((index) => compiled.staticAccounts[index]),
        data: Uint8Array.from(data ?? []),
      })),
    )
  })

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    [
      'more bytes than a packet has',
      () => Buffer.concat([wire, Buffer.alloc(MAX_TRANSACTION_BYTES)]),
    ],
    ['a byte behind the end', () => Buffer.concat([wire, Buffer.alloc(1)])],
    ['a legacy message', () => patched(1 + 128, 2)],
    ['version 1', () => patched(1 + 128, 0x81)],
    ['a signature less than signers', () => Buffer.concat([Buffer.of(1), wire.subarray(65)])],
    ['no signer that may write', () => patched(1 + 128 + 2, 2)],
    ['a program that is the fee payer', () => patched(indexOfFirstInstruction(), 0)],
    ['a program that is not there', () => patched(indexOfFirstInstruction(), 200)],
    ['an account twice', () => patchedAccount()],
    [
      'a length in two bytes that fits in one',
      () => Buffer.concat([Buffer.of(0x82, 0), wire.subarray(1)]),
    ],
    ['a length of four bytes', () => Buffer.concat([Buffer.of(0xff, 0xff, 0xff, 1), wire])],
  ])('refuses %s', (_, make) => {
    expect(readTransaction(make())).toMatchObject({ ok: false })
  })

  it('refuses every shortened form', () => {
    for (let length = 0; length < wire.length; length++) {
      expect(readTransaction(wire.subarray(0, length))).toMatchObject({ ok: false })
    }
  })

  it('never throws, and what it takes has the message it was given', () => {
    const changed = fc
      .array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(wire)
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        return bytes
      })
    const junk = fc.uint8Array({ maxLength: 1400 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.oneof(changed, junk), (bytes) => {
        const read = readTransaction(bytes)
        if (!read.ok) return
        const { message, signatures } = read.transaction
        expect(Buffer.concat([Buffer.of(signatures.length), ...signatures, message])).toEqual(bytes)
      }),
      { seed: 7, numRuns: 3000 },
    )
  })
})

function patched(at: number, value: number): Buffer {
  const bytes = Buffer.from(wire)
  bytes[at] = value
  return bytes
}

/** Behind signatures, version, header, accounts, blockhash and the number of instructions. */
function indexOfFirstInstruction(): number {
  const accountsAt = 1 + 128 + 4
  return accountsAt + 1 + wire[accountsAt]! * 32 + 32 + 1
}

function patchedAccount(): Buffer {
  const bytes = Buffer.from(wire)
  const first = 1 + 128 + 5
  bytes.copy(bytes, first + 32, first, first + 32)
  return bytes
}
