/** The rules against what the unmodified client of @x402/svm signs, and litesvm takes. */
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_PROGRAM } from '../../../../../plugins/x402/solana/programs.ts'
import { judgeTransaction } from '../../../../../plugins/x402/solana/rules.ts'
import { tokenAccountOf } from '../../../../../plugins/x402/solana/token-account.ts'
import {
  startSolanaNode,
  SOLANA,
  withoutSolana,
  type SolanaNode,
} from '../../../../support/x402/solana-node.ts'
import { solanaKey, USDC_MINT } from '../../../../support/x402/solana-payments.ts'

describe.skipIf(withoutSolana('Solana: the reference client'))('the client of @x402/svm', () => {
  let node: SolanaNode

  beforeAll(() => {
    node = startSolanaNode()
  })
  afterAll(() => node.stop())

  it('signs what keeps all rules', async () => {
    const payer = await solanaKey('payer')
    const payee = (await solanaKey('payee')).address
    const feePayer = (await solanaKey('sponsor')).address
    const client = new ExactSvmScheme(payer, { rpcUrl: node.url })
    const memo = 'coinop:0123456789abcdef'
    const { payload } = await client.createPaymentPayload(2, {
      scheme: 'exact',
      network: SOLANA,
      amount: '10000',
      asset: USDC_MINT,
      payTo: payee,
      maxTimeoutSeconds: 60,
      extra: { feePayer, memo },
    })
    const judged = judgeTransaction(payload['transaction'] as string, {
      feePayer,
      mint: USDC_MINT,
      decimals: 6,
      program: TOKEN_PROGRAM,
      destination: tokenAccountOf(payee, USDC_MINT, TOKEN_PROGRAM),
      amount: 10_000n,
      memo,
    })
    expect(judged).toMatchObject({ ok: true, transfer: { payer: payer.address } })
  })
})
