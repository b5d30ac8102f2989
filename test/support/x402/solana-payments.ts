/** Transactions of Solana payments, made with @solana/kit as wallets make them, and wrong on purpose. */
import {
  AccountRole,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { decodeBase58, encodeBase58 } from '../../../plugins/shared/signing/base58.ts'
import {
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../plugins/x402/solana/programs.ts'
import type { Expected } from '../../../plugins/x402/solana/rules.ts'
import { tokenAccountOf } from '../../../plugins/x402/solana/token-account.ts'

export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const USDC_DEVNET_MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

/** 32 bytes that are the same each time; different for each `name`. */
export function seedOf(name: string): Uint8Array {
  const bytes = new Uint8Array(32).fill(7)
  bytes.set(Buffer.from(name).subarray(0, 32))
  return bytes
}

const keys = new Map<string, Promise<KeyPairSigner>>()

/** A key pair of its own for each `name`. */
export function solanaKey(name: string): Promise<KeyPairSigner> {
  const key = keys.get(name) ?? createKeyPairSignerFromPrivateKeyBytes(seedOf(name))
  keys.set(name, key)
  return key
}

/** The base58 secret of `solanaKey(name)`, as wallets export it. */
export async function solanaSecret(name: string): Promise<string> {
  const { address } = await solanaKey(name)
  return encodeBase58(Buffer.concat([seedOf(name), decodeBase58(address, 32)!]))
}

export interface Sketch {
  feePayer: string
  payer: KeyPairSigner
  mint: string
  program: string
  source: string
  destination: string
  authority: KeyPairSigner
  amount: bigint
  decimals: number
  memo: string
  unitLimit: number
  unitPrice: bigint
  blockhash: string
  /** After the usual ones. */
  more: readonly Instruction[]
  /** In place of the usual ones. */
  instead: ((usual: Instruction[]) => Instruction[]) | null
}

/** A blockhash that no network has. */
export const NO_BLOCKHASH = encodeBase58(new Uint8Array(32).fill(9))

/** A good payment and what it is expected to be; `changes` make it wrong. */
export async function sketchPayment(changes: Partial<Sketch> = {}): Promise<Sketch> {
  const payer = changes.payer ?? (await solanaKey('payer'))
  const payee = await solanaKey('payee')
  const sponsor = await solanaKey('sponsor')
  const mint = changes.mint ?? USDC_MINT
  return {
    feePayer: sponsor.address,
    payer,
    mint,
    program: TOKEN_PROGRAM,
    source: tokenAccountOf(payer.address, mint, TOKEN_PROGRAM),
    destination: tokenAccountOf(payee.address, mint, TOKEN_PROGRAM),
    authority: payer,
    amount: 10_000n,
    decimals: 6,
    memo: 'coinop:0123456789abcdef',
    unitLimit: 20_000,
    unitPrice: 1n,
    blockhash: NO_BLOCKHASH,
    more: [],
    instead: null,
    ...changes,
  }
}

export function expectedOf(sketch: Sketch): Expected {
  return {
    feePayer: sketch.feePayer,
    mint: sketch.mint,
    decimals: sketch.decimals,
    program: TOKEN_PROGRAM,
    destination: sketch.destination,
    amount: sketch.amount,
    memo: sketch.memo,
  }
}

/** The base64 of the transaction, signed by its payer alone. */
export async function wireOf(sketch: Sketch): Promise<string> {
  const usual = [
    unitLimit(sketch.unitLimit),
    unitPrice(sketch.unitPrice),
    transfer(sketch),
    memo(sketch.memo),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (tx) => setTransactionMessageFeePayer(sketch.feePayer as Address, tx),
    (tx) =>
      appendTransactionMessageInstructions(
        [...(sketch.instead?.(usual) ?? usual), ...sketch.more],
        tx,
      ),
    (tx) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: sketch.blockhash as Blockhash, lastValidBlockHeight: 1000n },
        tx,
      ),
  )
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message))
}

export function instruction(
  program: string,
  data: Uint8Array,
  accounts: Instruction['accounts'] = [],
): Instruction {
  return { programAddress: program as Address, accounts, data }
}

export function unitLimit(units: number): Instruction {
  const data = Buffer.alloc(5, 2)
  data.writeUInt32LE(units, 1)
  return instruction(COMPUTE_BUDGET_PROGRAM, data)
}

export function unitPrice(microlamports: bigint): Instruction {
  const data = Buffer.alloc(9, 3)
  data.writeBigUInt64LE(microlamports, 1)
  return instruction(COMPUTE_BUDGET_PROGRAM, data)
}

export function memo(text: string): Instruction {
  return instruction(MEMO_PROGRAM, Buffer.from(text))
}

export function transfer(
  order: Pick<
    Sketch,
    'program' | 'source' | 'mint' | 'destination' | 'authority' | 'amount' | 'decimals'
  >,
): Instruction {
  const data = Buffer.alloc(10, 12)
  data.writeBigUInt64LE(order.amount, 1)
  data[9] = order.decimals
  return instruction(order.program, data, [
    { address: order.source as Address, role: AccountRole.WRITABLE },
    { address: order.mint as Address, role: AccountRole.READONLY },
    { address: order.destination as Address, role: AccountRole.WRITABLE },
    signing(order.authority),
  ])
}

/** An account that signs. */
export function signing(signer: KeyPairSigner): NonNullable<Instruction['accounts']>[number] {
  const account = { address: signer.address, role: AccountRole.READONLY_SIGNER, signer }
  return account as NonNullable<Instruction['accounts']>[number]
}
