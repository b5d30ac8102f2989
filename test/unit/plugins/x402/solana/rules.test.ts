/** The rules of a Solana payment, each broken by a transaction that @solana/kit signs. */
import { AccountRole, type Address, type Instruction } from '@solana/kit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeBase58, encodeBase58 } from '../../../../../plugins/shared/signing/base58.ts'
import { keyPairOf } from '../../../../../plugins/x402/solana/key-pair.ts'
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../plugins/x402/solana/programs.ts'
import { judgeTransaction, type Expected } from '../../../../../plugins/x402/solana/rules.ts'
import { tokenAccountOf } from '../../../../../plugins/x402/solana/token-account.ts'
import {
  expectedOf,
  instruction,
  memo,
  signing,
  sketchPayment,
  solanaKey,
  solanaSecret,
  transfer,
  unitLimit,
  unitPrice,
  wireOf,
  type Sketch,
} from '../../../../support/x402/solana-payments.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

let good: Sketch
let expected: Expected
let wire: string

beforeAll(async () => {
  good = await sketchPayment()
  expected = expectedOf(good)
  wire = await wireOf(good)
})

const judge = async (changes: Partial<Sketch>) =>
  judgeTransaction(await wireOf(await sketchPayment(changes)), expected)

describe('a payment as wallets make it', () => {
  it('keeps all rules, and its parts are read', () => {
    const judged = judgeTransaction(wire, expected)
    expect(judged).toMatchObject({
      ok: true,
      transfer: {
        payer: good.payer.address,
        source: good.source,
        amount: 10_000n,
        feePayer: good.feePayer,
        blockhash: good.blockhash,
        messageHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
  })

  it('is the same payment whatever stands in the slot of the fee payer', () => {
    const bytes = Buffer.from(wire, 'base64')
    bytes.fill(5, 1, 65)
    const other = judgeTransaction(bytes.toString('base64'), expected)
    expect(other).toMatchObject({ ok: true })
    const first = judgeTransaction(wire, expected)
    expect(other.ok && other.transfer.messageHash).toBe(first.ok && first.transfer.messageHash)
  })

  it('may have no memo', async () => {
    const judged = await judge({ instead: (usual) => usual.slice(0, 3) })
    expect(judged).toMatchObject({ ok: true, transfer: { memo: null } })
  })

  it('may have the assertions that wallets add, and any order', async () => {
    const assertion = instruction(LIGHTHOUSE_PROGRAM, Buffer.of(1, 2), [
      { address: good.source as Address, role: AccountRole.READONLY },
    ])
    const judged = await judge({ more: [assertion, assertion, assertion] })
    expect(judged).toMatchObject({ ok: true })
    expect(await judge({ instead: (usual) => usual.toReversed() })).toMatchObject({ ok: true })
  })
})

const PREFIX = 'invalid_exact_svm_'
const BUDGET = 'payload_transaction_instructions_compute_'
type Row = [reason: string, what: string, make: () => Promise<Partial<Sketch>> | Partial<Sketch>]

describe('a payment that breaks a rule', () => {
  const more = (...added: Instruction[]) => ({ more: added })
  const instead = (edit: Sketch['instead']): Partial<Sketch> => ({ instead: edit })
  const rows: Row[] = [
    [
      'payload_excessive_signers',
      'a third signer',
      async () =>
        more(instruction(LIGHTHOUSE_PROGRAM, Buffer.of(1), [signing(await solanaKey('third'))])),
    ],
    [
      'fee_payer_mismatch',
      'another fee payer',
      async () => ({ feePayer: (await solanaKey('other')).address }),
    ],
    [
      'payload_transaction_instructions_length',
      'too many instructions',
      () => more(...Array.from({ length: 4 }, () => instruction(LIGHTHOUSE_PROGRAM, Buffer.of(1)))),
    ],
    [
      'payload_unknown_optional_instruction',
      'a call of another programme',
      () => more(instruction(SYSTEM_PROGRAM, Buffer.of(2, 0, 0, 0))),
    ],
    [
      'payload_unknown_optional_instruction',
      'a durable nonce',
      () => instead((usual) => [instruction(SYSTEM_PROGRAM, Buffer.of(4, 0, 0, 0)), ...usual]),
    ],
    [
      'payload_transaction_fee_payer_included_in_instruction_accounts',
      'the fee payer in an instruction',
      () =>
        more(
          instruction(LIGHTHOUSE_PROGRAM, Buffer.of(1), [
            { address: good.feePayer as Address, role: AccountRole.WRITABLE },
          ]),
        ),
    ],
    [
      'payload_unknown_optional_instruction',
      'an assertion about the clock, which names no account',
      () => more(instruction(LIGHTHOUSE_PROGRAM, Buffer.of(15, 0))),
    ],
    ...(['mint', 'destination'] as const).map((account): Row => [
      'payload_unknown_optional_instruction',
      `an assertion about the ${account}, which others change`,
      () =>
        more(
          instruction(LIGHTHOUSE_PROGRAM, Buffer.of(2), [
            { address: good.source as Address, role: AccountRole.READONLY },
            { address: expected[account] as Address, role: AccountRole.READONLY },
          ]),
        ),
    ]),
    [
      `${BUDGET}limit_instruction`,
      'no limit of compute units',
      () => instead((usual) => usual.slice(1)),
    ],
    [`${BUDGET}limit_instruction`, 'two limits of compute units', () => more(unitLimit(1))],
    [
      `${BUDGET}limit_instruction`,
      'a heap size',
      () => more(instruction(COMPUTE_BUDGET_PROGRAM, Buffer.of(1, 0, 0, 4, 0))),
    ],
    [
      `${BUDGET}limit_instruction_too_high`,
      'a high limit of compute units',
      () => ({ unitLimit: 200_001 }),
    ],
    [`${BUDGET}price_instruction`, 'two prices of compute units', () => more(unitPrice(1n))],
    [
      `${BUDGET}price_instruction_too_high`,
      'a high price of compute units',
      () => ({ unitPrice: 5_000_001n, unitLimit: 1 }),
    ],
    [
      `${BUDGET}price_instruction_too_high`,
      'a high priority fee',
      () => ({ unitPrice: 200_000n, unitLimit: 150_000 }),
    ],
    [
      `${BUDGET}price_instruction_too_high`,
      'the highest price that can be written',
      () => ({ unitPrice: 2n ** 64n - 1n }),
    ],
    [
      'payload_no_transfer_instruction',
      'no transfer',
      () =>
        instead((usual) => usual.filter(({ programAddress }) => programAddress !== TOKEN_PROGRAM)),
    ],
    [
      'payload_no_transfer_instruction',
      'a plain Transfer',
      () =>
        instead((usual) =>
          usual.map((one) =>
            one.programAddress === TOKEN_PROGRAM
              ? { ...one, data: Buffer.concat([Buffer.of(3), one.data!.slice(1, 9)]) }
              : one,
          ),
        ),
    ],
    ['payload_no_transfer_instruction', 'two transfers', () => more(transfer(good))],
    [
      'payload_no_transfer_instruction',
      'an approval besides',
      () =>
        more(
          instruction(TOKEN_PROGRAM, Buffer.from('04ffffffffffffffff', 'hex'), [
            { address: good.source as Address, role: AccountRole.WRITABLE },
            { address: good.destination as Address, role: AccountRole.READONLY },
            signing(good.payer),
          ]),
        ),
    ],
    [
      'payload_no_transfer_instruction',
      'a further account',
      () =>
        instead((usual) =>
          usual.map((one) =>
            one.programAddress === TOKEN_PROGRAM
              ? { ...one, accounts: [...one.accounts!, signing(good.payer)] }
              : one,
          ),
        ),
    ],
    [
      'payload_no_transfer_instruction',
      'the other token programme',
      () => ({ program: TOKEN_2022_PROGRAM }),
    ],
    [
      'payload_mint_mismatch',
      'another mint',
      () => ({
        mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
        source: good.source,
        destination: good.destination,
      }),
    ],
    ['payload_mint_mismatch', 'other decimals', () => ({ decimals: 5 })],
    [
      'payload_recipient_mismatch',
      "the payee's wallet",
      async () => ({ destination: (await solanaKey('payee')).address }),
    ],
    [
      'payload_recipient_mismatch',
      "the payee's account of the other token programme",
      async () => ({
        destination: tokenAccountOf(
          (await solanaKey('payee')).address,
          good.mint,
          TOKEN_2022_PROGRAM,
        ),
      }),
    ],
    [
      'payload_recipient_mismatch',
      'money that stays where it is',
      () => ({ source: good.destination }),
    ],
    ['payload_amount_mismatch', 'less', () => ({ amount: 9_999n })],
    ['payload_amount_mismatch', 'more', () => ({ amount: 10_001n })],
    ['payload_memo_count', 'two memos', () => more(memo('other'))],
    [
      'payload_memo_mismatch',
      'the memo of another route',
      () => ({ memo: 'coinop:fedcba9876543210' }),
    ],
  ]

  it.each(rows)('%s: %s', async (reason, _, make) => {
    expect(await judge(await make())).toMatchObject({ ok: false, reason: `${PREFIX}${reason}` })
  })

  it("the fee payer's own money", async () => {
    expect(await judge({ authority: await solanaKey('sponsor') })).toMatchObject({
      ok: false,
      reason: `${PREFIX}payload_excessive_signers`,
    })
    const third = await solanaKey('third')
    const more = [instruction(LIGHTHOUSE_PROGRAM, Buffer.of(1), [signing(third)])]
    expect(await judge({ authority: await solanaKey('sponsor'), more })).toMatchObject({
      ok: false,
      reason: `${PREFIX}payload_transaction_fee_payer_transferring_funds`,
    })
  })

  it('a payer who has not signed', async () => {
    const bytes = Buffer.from(wire, 'base64')
    bytes.fill(0, 65, 129)
    expect(judgeTransaction(bytes.toString('base64'), expected)).toMatchObject({
      ok: false,
      reason: `${PREFIX}payload_signature_invalid`,
    })
  })

  it.each(['', 'AAA', 'not base64!', `${'A'.repeat(1648)}`])(
    'text that is no transaction',
    (text) => {
      expect(judgeTransaction(text, expected)).toMatchObject({
        ok: false,
        reason: `${PREFIX}payload_transaction`,
      })
    },
  )

  it('an address lookup table', () => {
    const bytes = Buffer.from(wire, 'base64')
    const table = Buffer.concat([Buffer.of(1), Buffer.alloc(32, 3), Buffer.of(1, 0), Buffer.of(0)])
    const withTable = Buffer.concat([bytes.subarray(0, -1), table]).toString('base64')
    expect(judgeTransaction(withTable, expected)).toMatchObject({
      ok: false,
      reason: `${PREFIX}payload_address_lookup_tables`,
    })
  })

  it('any byte of the message changed after signing', () => {
    const bytes = Buffer.from(wire, 'base64')
    fc.assert(
      fc.property(
        fc.integer({ min: 65, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, flip) => {
          const changed = Buffer.from(bytes)
          changed[at]! ^= flip
          expect(judgeTransaction(changed.toString('base64'), expected)).toMatchObject({
            ok: false,
          })
        },
      ),
      { seed: 5, numRuns: 2000 },
    )
  })
})

describe('key pairs', () => {
  it('come from 64 bytes as wallets export them, or from the seed alone', async () => {
    const { address } = await solanaKey('sponsor')
    const pair = keyPairOf(await solanaSecret('sponsor'))
    expect(pair?.address).toBe(address)
    expect(keyPairOf('11111111111111111111111111111111')?.address).toHaveLength(44)
  })

  it('must belong together', async () => {
    const secret = decodeBase58(await solanaSecret('sponsor'), 64)!
    secret[40]! ^= 1
    expect(keyPairOf(encodeBase58(secret))).toBeNull()
    expect(keyPairOf('0x1234')).toBeNull()
  })
})
