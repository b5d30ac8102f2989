/**
 * What a signed transaction must be to pay an offer of scheme `exact` on Solana (x402,
 * specs/schemes/exact/scheme_exact_svm.md; reasons as in @x402/svm `exact/facilitator/errors.ts`
 * where it has one). Whoever sponsors the fee signs what passes here: a missing rule costs the
 * sponsor's money or the payee's. Pure: nobody is asked.
 */
import { createHash } from 'node:crypto'
import { isSignedBy } from '../../shared/signing/ed25519.ts'
import {
  assertions,
  computeBudgetOf,
  isAllowed,
  memosIn,
  tokenCalls,
  transferIn,
  type TransferChecked,
} from './instructions.ts'
import type { PaymentReason } from '../reasons.ts'
import type { TokenProgram } from './programs.ts'
import { MAX_TRANSACTION_BYTES, readTransaction, type SolanaTransaction } from './transaction.ts'

/** What the offer asks for; all keys are base58. */
export interface Expected {
  feePayer: string
  mint: string
  decimals: number
  /** The programme that owns the mint. */
  program: TokenProgram
  /** The payee's token account. */
  destination: string
  /** In units of the mint; null: whoever asks compares it with the prices. */
  amount: bigint | null
  /** The one that it may have; null: none. */
  memo: string | null
}

/** What a transaction that keeps all rules says. */
export interface SolanaTransfer {
  payer: string
  /** The token account that the money leaves. */
  source: string
  amount: bigint
  feePayer: string
  /** Null: it has none. */
  memo: string | null
  blockhash: string
  /** SHA-256 of the message in hex: names the payment, whatever stands in the signature slots. */
  messageHash: string
}

/** `detail` completes "the transaction …". */
interface Broken {
  detail: string
  expected?: string
  got?: string
}

export type Judged =
  | { ok: true; transfer: SolanaTransfer; transaction: SolanaTransaction }
  | ({ ok: false; reason: PaymentReason } & Broken)

/** Fee payer and payer: each further signature costs the sponsor. */
const SIGNERS = 2
/** Two of the compute budget, the transfer, the memo, and three that wallets add. */
const MAX_INSTRUCTIONS = 7
/** A transfer with a memo takes under 20,000 compute units. */
export const MAX_COMPUTE_UNITS = 200_000
/** In millionths of a lamport for a unit, as the reference facilitator has it. */
export const MAX_UNIT_PRICE_MICROLAMPORTS = 5_000_000n
/** What limit and price may come to: twice the fee of the two signatures. */
export const MAX_PRIORITY_FEE_LAMPORTS = 20_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n

interface Case {
  transaction: SolanaTransaction
  transfer: TransferChecked
  expected: Expected
}

type Rule = readonly [reason: PaymentReason, broken: (judging: Case) => Broken | null]

/** In this order: a rule may rely on those before it. */
const RULES: readonly Rule[] = [
  [
    'invalid_exact_svm_payload_excessive_signers',
    ({ transaction: { signers } }) =>
      unlike('must be signed by its fee payer and its payer', SIGNERS, signers.length),
  ],
  [
    'invalid_exact_svm_payload_address_lookup_tables',
    ({ transaction: { lookupTables } }) => unlike('uses address lookup tables', 0, lookupTables),
  ],
  [
    'invalid_exact_svm_fee_payer_mismatch',
    ({ transaction: { signers }, expected }) =>
      unlike('has another fee payer', expected.feePayer, signers[0]!),
  ],
  [
    'invalid_exact_svm_payload_transaction_instructions_length',
    ({ transaction: { instructions } }) =>
      above('has too many instructions', MAX_INSTRUCTIONS, instructions.length),
  ],
  [
    'invalid_exact_svm_payload_unknown_optional_instruction',
    ({ transaction: { instructions } }) => {
      const foreign = instructions.find(({ program }) => !isAllowed(program))
      return foreign ? { detail: 'calls a programme that may not be', got: foreign.program } : null
    },
  ],
  [
    'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
    ({ transfer, expected }) =>
      transfer.authority === expected.feePayer
        ? { detail: 'moves the money of the fee payer' }
        : null,
  ],
  [
    'invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts',
    ({ transaction: { instructions }, expected }) =>
      instructions.some(({ accounts }) => accounts.includes(expected.feePayer))
        ? { detail: 'names the fee payer in an instruction' }
        : null,
  ],
  [
    'invalid_exact_svm_payload_unknown_optional_instruction',
    ({ transaction, transfer: { source, authority } }) =>
      assertions(transaction).every(
        ({ accounts }) =>
          accounts.length > 0 && accounts.every((one) => one === source || one === authority),
      )
        ? null
        : { detail: 'asserts more than the state of its payer' },
  ],
  [
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
    ({ transaction }) => {
      const { unitLimits, others } = computeBudgetOf(transaction)
      return (
        unlike('must set the limit of compute units once', 1, unitLimits.length) ??
        unlike('sets more of the compute budget than limit and price', 0, others)
      )
    },
  ],
  [
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
    ({ transaction }) =>
      above('has too many compute units', MAX_COMPUTE_UNITS, unitLimitOf(transaction)),
  ],
  [
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
    ({ transaction }) =>
      above(
        'sets the price of compute units again',
        1,
        computeBudgetOf(transaction).unitPrices.length,
      ),
  ],
  [
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
    ({ transaction }) => {
      const [price = 0n] = computeBudgetOf(transaction).unitPrices
      const feeLamports = (price * BigInt(unitLimitOf(transaction))) / MICROLAMPORTS_PER_LAMPORT
      return (
        above('pays too much for a compute unit', MAX_UNIT_PRICE_MICROLAMPORTS, price) ??
        above('has too high a priority fee', MAX_PRIORITY_FEE_LAMPORTS, feeLamports)
      )
    },
  ],
  [
    'invalid_exact_svm_payload_no_transfer_instruction',
    ({ transaction, transfer, expected }) => {
      if (transfer.hasMoreAccounts)
        return { detail: 'has a transfer that needs more than its payer' }
      return (
        unlike('must call a token programme once', 1, tokenCalls(transaction)) ??
        unlike("calls another token programme than the mint's", expected.program, transfer.program)
      )
    },
  ],
  [
    'invalid_exact_svm_payload_mint_mismatch',
    ({ transfer, expected }) =>
      unlike('moves another token', expected.mint, transfer.mint) ??
      unlike('names other decimals of the token', expected.decimals, transfer.decimals),
  ],
  [
    'invalid_exact_svm_payload_recipient_mismatch',
    ({ transfer, expected }) =>
      unlike('pays another account', expected.destination, transfer.destination) ??
      (transfer.source === transfer.destination
        ? { detail: 'moves the money to where it is' }
        : null),
  ],
  [
    'invalid_exact_svm_payload_amount_mismatch',
    ({ transfer, expected: { amount } }) =>
      amount === null ? null : unlike('moves another amount', amount, transfer.amount),
  ],
  [
    'invalid_exact_svm_payload_memo_count',
    ({ transaction }) => above('has more than one memo', 1, memosIn(transaction).length),
  ],
  [
    'invalid_exact_svm_payload_memo_mismatch',
    ({ transaction, expected }) => {
      // Clients of version 1, and some others, write none.
      const [memo] = memosIn(transaction)
      const own = expected.memo ?? ''
      if (memo === undefined || memo.equals(Buffer.from(own))) return null
      return { detail: 'has another memo', expected: own, got: memo.toString() }
    },
  ],
  [
    'invalid_exact_svm_payload_signature_invalid',
    ({ transaction: { signers, signatures, message }, transfer: { authority } }) => {
      if (signers[1] !== authority) {
        return {
          detail: 'is signed by another than its payer',
          expected: authority,
          got: signers[1]!,
        }
      }
      return isSignedBy(authority, message, signatures[1]!)
        ? null
        : { detail: `is not signed by ${authority}`, expected: authority }
    },
  ],
]

/** Judges the text of a payload's `transaction` by all rules. */
export function judgeTransaction(text: string, expected: Expected): Judged {
  const read = readWire(text)
  if (!read.ok) return read
  const { transaction } = read
  const transfer = transferIn(transaction)
  if (transfer === null) {
    const reason = 'invalid_exact_svm_payload_no_transfer_instruction'
    return { ok: false, reason, detail: 'has no TransferChecked' }
  }
  for (const [reason, broken] of RULES) {
    const found = broken({ transaction, transfer, expected })
    if (found) return { ok: false, reason, ...found }
  }
  return { ok: true, transaction, transfer: transferOf(transaction, transfer) }
}

/** The transaction in padded base64. */
export function readWire(
  text: string,
):
  | { ok: true; transaction: SolanaTransaction }
  | { ok: false; reason: PaymentReason; detail: string } {
  const isTooLong = text.length > Math.ceil(MAX_TRANSACTION_BYTES / 3) * 4
  if (isTooLong || text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    const detail = `must be padded base64 of at most ${MAX_TRANSACTION_BYTES} bytes`
    return { ok: false, reason: 'invalid_exact_svm_payload_transaction', detail }
  }
  const read = readTransaction(Buffer.from(text, 'base64'))
  if (read.ok) return read
  const reason = 'invalid_exact_svm_payload_transaction_could_not_be_decoded'
  return { ok: false, reason, detail: read.detail }
}

function transferOf(
  transaction: SolanaTransaction,
  { authority, source, amount }: TransferChecked,
): SolanaTransfer {
  const { message, signers, blockhash } = transaction
  return {
    payer: authority,
    source,
    amount,
    feePayer: signers[0]!,
    memo: memosIn(transaction)[0]?.toString() ?? null,
    blockhash,
    messageHash: createHash('sha256').update(message).digest('hex'),
  }
}

function unitLimitOf(transaction: SolanaTransaction): number {
  return computeBudgetOf(transaction).unitLimits[0] ?? 0
}

type Value = string | number | bigint

function unlike(detail: string, expected: Value, got: Value): Broken | null {
  return expected === got ? null : { detail, expected: `${expected}`, got: `${got}` }
}

function above(detail: string, most: Value, got: Value): Broken | null {
  return got <= most ? null : { detail, expected: `at most ${most}`, got: `${got}` }
}
