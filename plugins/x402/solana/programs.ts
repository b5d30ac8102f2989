/** Addresses of the programmes that a payment may call; they are the same on every Solana network. */

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
/** Assertions that Phantom and Solflare add to protect their users. */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

export type TokenProgram = typeof TOKEN_PROGRAM | typeof TOKEN_2022_PROGRAM

export function isTokenProgram(address: string): address is TokenProgram {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM
}
