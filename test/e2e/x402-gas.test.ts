/**
 * Gas for the first approval of Permit2 (x402 extensions eip2612GasSponsoring and
 * erc20ApprovalGasSponsoring): newcomers without any gas buy from the running gateway with the unmodified
 * clients of @x402/fetch and @x402/axios, and the reference facilitator brings their approval.
 */
import { wrapAxiosWithPayment } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import axios from 'axios'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { resolveAsset } from '../../plugins/x402/terms/asset.ts'
import type { PaymentRequired } from '../../plugins/x402/payment/wire.ts'
import { startSandboxChain, type SandboxChain } from '../../plugins/x402/sandbox/sandbox.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { buyerOn, rpc, withoutChain } from '../support/x402/chain.ts'
import { startFacilitator, type TestFacilitator } from '../support/x402/facilitator.ts'
import { challengeOf, post, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode } from '../support/x402/payments.ts'

const ECHO = '/v1/paid/echo'
const PRICE = 10_000n
/** Its dollar has no EIP-3009: whoever buys there needs an approval of Permit2. */
const PERMIT2_ONLY = 'eip155:38833'

type Network = `${string}:${string}`
interface Shop {
  gateway: GatewayProcess
  chain: SandboxChain
  remote: TestFacilitator
  network: Network
}

describe.skipIf(withoutChain('gas for the first approval'))('gas for the first approval', () => {
  const ground = x402Ground()
  const gateways = x402Gateways(ground)

  /** A gateway that settles by the reference facilitator alone, once it knows what that one sponsors. */
  async function shop(
    sponsors: TestFacilitator['sponsors'],
    { chain, network, isStrict }: Pick<Shop, 'chain' | 'network'> & { isStrict: boolean },
  ): Promise<Shop> {
    const remote = startFacilitator(chain, undefined, Number(network.split(':')[1]))
    ground.closing(() => remote.stop())
    // One without any sponsorship is known to take Permit2 by its scheme upto.
    Object.assign(remote, { sponsors, isStrict, listsUpto: sponsors.length === 0 })
    const gateway = await gateways.start({
      X402_NETWORK: network,
      X402_FACILITATOR_URL: remote.url,
      X402_RPC_URL: chain.rpcUrl,
      SETTLEMENT_ADDRESS: chain.receivingAddress,
    })
    await until(async () => {
      const { accepts, extensions } = (await challengeOf(gateway)) as PaymentRequired
      const isOffered = accepts.some(({ extra }) => extra['assetTransferMethod'] === 'permit2')
      return isOffered && sponsors.every((name) => name in extensions!)
    })
    return { gateway, chain, remote, network }
  }

  /** An account with dollars, without gas, and without an approval. */
  async function newcomer(chain: SandboxChain): Promise<PrivateKeyAccount> {
    const account = await buyerOn(chain)
    await chain.allowPermit2(account.address, 0n)
    expect(BigInt(await rpc<string>(chain, 'eth_getBalance', [account.address, 'latest']))).toBe(0n)
    return account
  }
  const transactionsOf = async (chain: SandboxChain, { address }: PrivateKeyAccount) =>
    Number(await rpc<string>(chain, 'eth_getTransactionCount', [address, 'latest']))

  /** The client with its own settings; of several offers it takes that by Permit2. */
  const clientOf = (account: PrivateKeyAccount, { chain, network }: Shop) =>
    new x402Client((_, offers) =>
      offers.find(({ extra }) => extra['assetTransferMethod'] === 'permit2')!,
    ).register(network, new ExactEvmScheme(account, { rpcUrl: chain.rpcUrl }))

  async function buys(
    where: Shop,
    ask: (url: string) => Promise<{ status: number; body: unknown; header: string | null }>,
  ): Promise<void> {
    const { chain, gateway } = where
    const before = await chain.balanceOf(chain.receivingAddress)
    const { status, body, header } = await ask(gateway.url + ECHO)
    expect([status, body]).toEqual([200, { message: 'hi' }])
    const { success, transaction } = decode<{ success: boolean; transaction: string }>(header)
    expect(success).toBe(true)
    const mined = await rpc<{ status: string }>(chain, 'eth_getTransactionReceipt', [transaction])
    expect(mined.status).toBe('0x1')
    expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(PRICE)
  }
  const byFetch = (account: PrivateKeyAccount, where: Shop) => async (url: string) => {
    const paying = wrapFetchWithPayment(fetch, clientOf(account, where))
    const response = await paying(url, post({ message: 'hi' }))
    const { status, headers } = response
    return { status, body: await response.json(), header: headers.get('payment-response') }
  }
  const byAxios = (account: PrivateKeyAccount, where: Shop) => async (url: string) => {
    const paying = wrapAxiosWithPayment(axios.create(), clientOf(account, where) as never)
    const { status, data, headers } = await paying.post(url, { message: 'hi' })
    return { status, body: data, header: headers['payment-response'] as string }
  }

  it('by a permit of the token: the newcomer sends no transaction and holds no gas', async () => {
    const { chain } = ground
    const where = await shop(['eip2612GasSponsoring'], {
      chain,
      network: 'eip155:8453',
      isStrict: true,
    })
    for (const by of [byFetch, byAxios]) {
      const account = await newcomer(chain)
      // Each permits what it pays, so that the next one brings a permit again.
      await buys(where, by(account, where))
      await buys(where, by(account, where))
      expect(await transactionsOf(chain, account)).toBe(0)
      expect(BigInt(await rpc<string>(chain, 'eth_getBalance', [account.address, 'latest']))).toBe(
        0n,
      )
    }
    expect(where.remote.settles).toBe(4)
  })

  it('by a signed approval that the facilitator brings, with gas, once', async () => {
    const { chain } = ground
    const where = await shop(['erc20ApprovalGasSponsoring'], {
      chain,
      network: 'eip155:8453',
      isStrict: false,
    })
    const account = await newcomer(chain)
    await buys(where, byFetch(account, where))
    expect(await transactionsOf(chain, account)).toBe(1)
    await buys(where, byAxios(account, where))
    expect(await transactionsOf(chain, account)).toBe(1)
  })

  it('where the token moves by Permit2 alone, with the first offer that a client meets', async () => {
    const resolved = resolveAsset(PERMIT2_ONLY, null)
    if (!resolved.ok) throw new Error(resolved.reason)
    const started = await startSandboxChain(resolved.asset)
    if (!started.ok) throw new Error(started.reason)
    const { chain } = started
    ground.closing(() => chain.stop())
    const where = await shop(['eip2612GasSponsoring'], {
      chain,
      network: PERMIT2_ONLY,
      isStrict: true,
    })
    const account = await newcomer(chain)
    const scheme = new ExactEvmScheme(account, { rpcUrl: chain.rpcUrl })
    const paying = wrapFetchWithPayment(fetch, new x402Client().register(PERMIT2_ONLY, scheme))
    await buys(where, async (url) => {
      const response = await paying(url, post({ message: 'hi' }))
      const header = response.headers.get('payment-response')
      return { status: response.status, body: await response.json(), header }
    })
    expect(await transactionsOf(chain, account)).toBe(0)
  })

  it('is refused before the work where nobody sponsors it, and costs nothing', async () => {
    const { chain } = ground
    const where = await shop([], { chain, network: 'eip155:8453', isStrict: true })
    const account = await newcomer(chain)
    const before = await chain.balanceOf(chain.receivingAddress)
    const paying = wrapFetchWithPayment(fetch, clientOf(account, where))
    const refused = await paying(where.gateway.url + ECHO, post({ message: 'hi' }))
    expect(refused.status).toBe(402)
    const { error } = decode<{ error: string }>(refused.headers.get('payment-required'))
    expect(error).toContain('permit2_allowance_required')
    expect(await chain.balanceOf(chain.receivingAddress)).toBe(before)
    expect(where.remote.settles).toBe(0)
  })
})
