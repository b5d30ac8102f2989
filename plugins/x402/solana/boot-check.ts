/**
 * Compares the settings of a Solana entry with the network: the network itself, the mint with its
 * programme and decimals, and the token account that is paid. Whatever would make payments arrive
 * short, late or not at all closes the entry, with a reason that names the setting.
 */
import type { BootCheck } from '../chain/chain-check.ts'
import type { SettingNames } from '../terms/settings.ts'
import { isTokenProgram, TOKEN_2022_PROGRAM, type TokenProgram } from './programs.ts'
import { nodeTrouble, type SolanaAccount, type SolanaRpc } from './rpc.ts'
import { tokenAccountOf } from './token-account.ts'

export interface MintOrder {
  /** CAIP-2. */
  network: string
  mint: string
  decimals: number
  payTo: string
  names: SettingNames
}

/** The programme of the mint, where all is well. */
export type SolanaBootCheck =
  | { state: 'ok'; program: TokenProgram }
  | Exclude<BootCheck, { state: 'ok' }>

/** Of a mint (spl-token, Mint): 82 bytes; of a token account: 165. */
const MINT = { sizeBytes: 82, decimalsAt: 44, isInitializedAt: 45 }
const ACCOUNT = { sizeBytes: 165, stateAt: 108, initialized: 1, frozen: 2 }
/** Token-2022: the extensions of a mint follow the size of an account and one byte, each with type and length. */
const EXTENSIONS_AT = ACCOUNT.sizeBytes + 1
const TRANSFER_FEE = { type: 1, basisPointsAt: [88, 106] }
const NON_TRANSFERABLE = { type: 9 }
const TRANSFER_HOOK = { type: 14, programAt: 32 }

/** Never throws. */
export async function checkSolana(rpc: SolanaRpc, order: MintOrder): Promise<SolanaBootCheck> {
  const { network, mint, names } = order
  try {
    const genesis = await rpc.genesisHash()
    if (network !== `solana:${genesis.slice(0, 32)}`) {
      return wrong(
        `${names.rpc} is of solana:${genesis.slice(0, 32)}, ${names.network} says ${network}`,
      )
    }
    const found = await rpc.account(mint)
    if (found === null || !isTokenProgram(found.owner)) return wrong(`${mint} is no mint`)
    const { owner: program } = found
    const problem = mintProblem(found, order)
    if (problem !== null) return wrong(problem)
    const account = await rpc.account(tokenAccountOf(order.payTo, mint, program))
    const accountTrouble = accountProblem(account, order)
    return accountTrouble === null ? { state: 'ok', program } : wrong(accountTrouble)
  } catch (error) {
    return { state: 'unreachable', reason: `${names.rpc}: ${nodeTrouble(error)}` }
  }
}

function mintProblem({ owner, data }: SolanaAccount, { mint, decimals }: MintOrder): string | null {
  if (data.length < MINT.sizeBytes || data[MINT.isInitializedAt] !== 1) return `${mint} is no mint`
  const found = data[MINT.decimalsAt]
  if (found !== decimals) return `the asset ${mint} has ${found} decimals, not ${decimals}`
  if (owner !== TOKEN_2022_PROGRAM) return null
  for (const { type, value } of extensionsOf(data)) {
    if (type === NON_TRANSFERABLE.type) return `the asset ${mint} cannot be transferred`
    const fees = TRANSFER_FEE.basisPointsAt.map((at) => basisPoints(value, at))
    if (type === TRANSFER_FEE.type && fees.some((fee) => fee !== 0)) {
      return `the asset ${mint} takes a fee of each transfer, so that less than the price arrives`
    }
    const hook = value.subarray(TRANSFER_HOOK.programAt, TRANSFER_HOOK.programAt + 32)
    if (type === TRANSFER_HOOK.type && hook.some((byte) => byte !== 0)) {
      return `the asset ${mint} calls a programme of its own at each transfer`
    }
  }
  return null
}

function accountProblem(
  account: SolanaAccount | null,
  { mint, payTo, names }: MintOrder,
): string | null {
  const whose = `${names.payTo} ${payTo}`
  if (account === null || account.data.length < ACCOUNT.sizeBytes) {
    return `${whose} has no token account of ${mint}: create it (spl-token create-account), then start again`
  }
  const state = account.data[ACCOUNT.stateAt]
  if (state === ACCOUNT.initialized) return null
  const word = state === ACCOUNT.frozen ? 'frozen' : 'not initialised'
  return `the token account of ${whose} is ${word}`
}

function* extensionsOf(data: Buffer): Generator<{ type: number; value: Buffer }> {
  let at = EXTENSIONS_AT
  while (at + 4 <= data.length) {
    const type = data.readUInt16LE(at)
    const size = data.readUInt16LE(at + 2)
    if (type === 0) return
    yield { type, value: data.subarray(at + 4, at + 4 + size) }
    at += 4 + size
  }
}

/** A share that is missing counts as one, so that a form not known here closes the entry. */
function basisPoints(value: Buffer, at: number): number {
  return at + 2 <= value.length ? value.readUInt16LE(at) : 1
}

function wrong(reason: string): { state: 'wrong'; reason: string } {
  return { state: 'wrong', reason }
}
