/** Reads the instructions that a payment may have: compute budget, transfer, memo, assertions. */
import {
  COMPUTE_BUDGET_PROGRAM,
  isTokenProgram,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
} from './programs.ts'
import type { Instruction, SolanaTransaction } from './transaction.ts'

/** TransferChecked of the token programmes: amount and decimals with source, mint, destination, authority. */
export interface TransferChecked {
  program: string
  source: string
  mint: string
  destination: string
  authority: string
  amount: bigint
  decimals: number
  /** More accounts follow: the signers of a multisig, or what a transfer hook needs. */
  hasMoreAccounts: boolean
}

const SET_COMPUTE_UNIT_LIMIT = { code: 2, sizeBytes: 5 }
const SET_COMPUTE_UNIT_PRICE = { code: 3, sizeBytes: 9 }
const TRANSFER_CHECKED = { code: 12, sizeBytes: 10 }

/** Whether a payment may call the programme. */
export function isAllowed(program: string): boolean {
  return (
    isTokenProgram(program) ||
    program === COMPUTE_BUDGET_PROGRAM ||
    program === MEMO_PROGRAM ||
    program === LIGHTHOUSE_PROGRAM
  )
}

/** The first TransferChecked, whatever it moves; null without one. */
export function transferIn({ instructions }: SolanaTransaction): TransferChecked | null {
  for (const { program, accounts, data } of instructions) {
    const [source, mint, destination, authority] = accounts
    if (!isTokenProgram(program) || !is(TRANSFER_CHECKED, data) || authority === undefined) continue
    return {
      program,
      source: source!,
      mint: mint!,
      destination: destination!,
      authority,
      amount: Buffer.from(data).readBigUInt64LE(1),
      decimals: data[9]!,
      hasMoreAccounts: accounts.length > 4,
    }
  }
  return null
}

/** How often a token programme is called, by whatever instruction. */
export function tokenCalls({ instructions }: SolanaTransaction): number {
  return instructions.filter(({ program }) => isTokenProgram(program)).length
}

/**
 * What wallets assert about the state after the transfer. About the clock, which needs no account, or an
 * account that others change, it would hold in the simulation and fail on the chain: the sponsor pays
 * the fee of that, and the payer nothing.
 */
export function assertions({ instructions }: SolanaTransaction): Instruction[] {
  return instructions.filter(({ program }) => program === LIGHTHOUSE_PROGRAM)
}

/** The data of each memo. */
export function memosIn({ instructions }: SolanaTransaction): Buffer[] {
  return instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .map(({ data }) => Buffer.from(data))
}

export interface ComputeBudget {
  /** Of each instruction that sets it. */
  unitLimits: readonly number[]
  /** In millionths of a lamport for a unit. */
  unitPrices: readonly bigint[]
  /** Instructions of the programme that set something else, or are malformed. */
  others: number
}

export function computeBudgetOf({ instructions }: SolanaTransaction): ComputeBudget {
  const calls = instructions.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  const limits = calls.filter(({ data }) => is(SET_COMPUTE_UNIT_LIMIT, data))
  const prices = calls.filter(({ data }) => is(SET_COMPUTE_UNIT_PRICE, data))
  return {
    unitLimits: limits.map(({ data }) => Buffer.from(data).readUInt32LE(1)),
    unitPrices: prices.map(({ data }) => Buffer.from(data).readBigUInt64LE(1)),
    others: calls.length - limits.length - prices.length,
  }
}

function is(
  { code, sizeBytes }: { code: number; sizeBytes: number },
  data: Instruction['data'],
): boolean {
  return data[0] === code && data.length === sizeBytes
}
