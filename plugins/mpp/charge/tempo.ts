/**
 * The method tempo with the intent charge (MPP tempo-charge-00), mode `pull`: the payer signs a
 * transaction and leaves it to the server, which sends it when the work is done. Its memo names the
 * realm and the challenge, so that it pays for one challenge and no other.
 */
import { getAddress, keccak256, stringToBytes } from 'viem'
import type { PaymentNetwork } from '../../shared/payments/contract.ts'
import { readTempoTransfer } from '../../shared/payments/tempo-transaction.ts'
import { mismatch } from '../problems.ts'
import type { Challenge } from '../wire/challenge.ts'
import type { ChargeMethod, ChargeNetwork, ReadPayment } from './method.ts'

/** The first bytes of the memo (mppx Attribution): the tag, keccak256("mpp"), and the version. */
const MARK = `${keccak256(stringToBytes('mpp')).slice(0, 10)}01`
/** Characters of the memo: of the realm's fingerprint, of the client's, which it may choose. */
const REALM_CHARACTERS = 20
const CLIENT_CHARACTERS = 20
const SOURCE = /^did:pkh:eip155:(\d{1,15}):(0x[0-9a-f]{40})$/

export const tempoCharge: ChargeMethod = {
  name: 'tempo/charge',
  method: 'tempo',
  intent: 'charge',
  isOn,
  request({ asset, payTo, chainId }, amount) {
    return {
      amount: amount.toString(),
      currency: getAddress(asset),
      recipient: getAddress(payTo),
      methodDetails: { chainId, supportedModes: ['pull'] },
    }
  },
  read({ challenge, payload, source }, { network, amount }): ReadPayment {
    if (payload['type'] !== 'transaction') return bad('must have the type transaction')
    const given = payload['signature']
    if (typeof given !== 'string') return bad('has no transaction')
    const transaction = given.toLowerCase()
    const read = readTempoTransfer(transaction)
    if (!read.ok) return bad(`has a transaction that ${read.what}`)
    const { transfer } = read
    if (transfer.amount !== amount) {
      return refused('amount', amount.toString(), transfer.amount.toString())
    }
    if (!isMemoOf(transfer.memo, challenge)) {
      return refused('memo', `${memoStart(challenge)}…${memoEnd(challenge)}`, transfer.memo)
    }
    const payer = payerIn(source, network.chainId)
    if (payer === undefined) {
      return refused('source', `did:pkh:eip155:${network.chainId}:0x…`, source ?? '')
    }
    return {
      outcome: 'read',
      payment: {
        network: network.network,
        asset: network.asset,
        transaction,
        nonce: keccak256(stringToBytes(challenge.id)),
        payer,
      },
      validBefore: transfer.validBefore ?? 0n,
    }
  },
}

function isOn(network: PaymentNetwork): network is ChargeNetwork {
  return network.kind === 'tempo' && network.chainId !== null
}

/** Whether a memo names the realm and the challenge. */
export function isMemoOf(memo: string, challenge: Pick<Challenge, 'id' | 'realm'>): boolean {
  const start = memoStart(challenge)
  const end = memoEnd(challenge)
  const length = start.length + CLIENT_CHARACTERS + end.length
  return memo.length === length && memo.startsWith(start) && memo.endsWith(end)
}

function memoStart({ realm }: Pick<Challenge, 'realm'>): string {
  return MARK + keccak256(stringToBytes(realm)).slice(2, 2 + REALM_CHARACTERS)
}

/** Seven bytes of the hash of the challenge's id. */
function memoEnd({ id }: Pick<Challenge, 'id'>): string {
  return keccak256(stringToBytes(id)).slice(2, 16)
}

/** Null when it is not said; undefined when it is of another chain or form. */
function payerIn(source: string | null, chainId: number): string | null | undefined {
  if (source === null) return null
  const [, chain, address] = SOURCE.exec(source.toLowerCase()) ?? []
  return chain === String(chainId) ? address : undefined
}

const bad = (what: string): ReadPayment => ({ outcome: 'malformed', what })

function refused(member: string, expected: string, got: string): ReadPayment {
  return { outcome: 'refused', failure: mismatch(member, expected, got) }
}
