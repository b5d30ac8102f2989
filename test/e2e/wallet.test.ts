/** A wallet buys credits once and spends them by signing in: honest clients, crashes and cheats. */
import { createSIWxClientExtension, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount, generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { proofFor, signInIn } from '../support/wallet.ts'
import { buyerOn, contractWallet, withoutChain } from '../support/x402/chain.ts'
import { payingFetch, post, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode } from '../support/x402/payments.ts'

const without = withoutChain('credits of wallets')
const HASH = '/v1/paid/hash'
/** One credit. */
const ECHO = '/v1/paid/echo'
const TOPUP = '/v1/credits/topup/x402'

describe.skipIf(without)('credits of a wallet', () => {
  const ground = x402Ground({ buyerAtomic: 1_000_000_000n })
  const gateways = x402Gateways(ground, () => ({ RATE_LIMIT_BURST: '10000' }))
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await gateways.start(gateways.ownSigner())
  })

  const call = (header: string | null, input = 'x', at = gateway, path = HASH): Promise<Answer> =>
    at.call('POST', path, {
      body: { input },
      ...(header !== null && { headers: { 'sign-in-with-x': header } }),
    })
  const offerOf = async (at = gateway, path = HASH) => signInIn(await call(null, 'x', at, path))!
  const proofOf = async (
    account: PrivateKeyAccount,
    bend: Parameters<typeof proofFor>[2] = {},
    at = gateway,
    path = HASH,
  ) => proofFor(await offerOf(at, path), account, bend)
  async function walletWith(credits: number, at = gateway): Promise<PrivateKeyAccount> {
    const account = await buyerOn(ground.chain, BigInt(credits) * 10_000n)
    const order = { amountUsd: credits / 100, wallet: true }
    const bought = await payingFetch(account)(at.url + TOPUP, post(order))
    expect(bought.status, await bought.clone().text()).toBe(200)
    return account
  }
  const creditsOf = async (account: PrivateKeyAccount): Promise<number> => {
    const [row] = await ground.database.db.sql<{ available: bigint; held: bigint }[]>`
      SELECT available, held FROM coinop.account a JOIN coinop.account_owner o ON o.account_id = a.id
      WHERE o.subject = ${`eip155:${account.address.toLowerCase()}`}`
    expect(row!.held).toBe(0n)
    return Number(row!.available) / 10_000
  }
  const refusedFor = (answer: Answer, reason: string): void => {
    expect([answer.status, answer.problem.details?.reason]).toEqual([402, reason])
    // Whoever is refused can sign again, or pay.
    expect(signInIn(answer)).not.toBeNull()
    expect(answer.json.extensions['sign-in-with-x'].info.nonce).toMatch(/^[0-9a-f]{32}$/)
  }

  describe('with unmodified clients', () => {
    it('bought once, spent a hundred times by proofs and by a session, through a kill', async () => {
      const buyer = await buyerOn(ground.chain, 1_000_000n)
      const before = await ground.received()
      const bought = await payingFetch(buyer)(
        gateway.url + TOPUP,
        post({ amountUsd: 1, wallet: true }),
      )
      const subject = `eip155:${buyer.address.toLowerCase()}`
      expect(await bought.json()).toEqual({
        requestId: expect.any(String),
        credits: 100,
        amountUsd: 1,
        wallet: subject,
      })
      const doomed = await gateways.start(gateways.ownSigner())
      const spend = wrapFetchWithSIWx(fetch, buyer)
      for (let number = 1; number <= 50; number++) {
        const at = number <= 25 ? doomed : gateway
        const answer = await spend(at.url + ECHO, post({ number }))
        expect([number, answer.status]).toEqual([number, 200])
        expect(answer.headers.get('x-payment-rail')).toBe('credits')
        expect(answer.headers.get('x-charged-credits')).toBe('1')
        if (number === 25) await doomed.kill()
      }
      expect(await creditsOf(buyer)).toBe(50)
      const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer))
      client.registerExtension(createSIWxClientExtension({ signers: [buyer] }))
      const either = wrapFetchWithPayment(fetch, client)
      const me = await either(`${gateway.url}/v1/wallets/me`)
      expect(await me.json()).toEqual({ wallet: subject, credits: 50, heldCredits: 0 })
      const begun = await either(`${gateway.url}/v1/wallets/session`, { method: 'POST' })
      const session = (await begun.json()) as { token: string; wallet: string; expiresAt: string }
      expect(session.wallet).toBe(subject)
      expect(Date.parse(session.expiresAt) - Date.now()).toBeGreaterThan(800_000)
      for (let number = 1; number <= 50; number++) {
        const headers = { authorization: `Bearer ${session.token}` }
        const answer = await fetch(gateway.url + ECHO, post({ number }, headers))
        expect([number, answer.status]).toEqual([number, 200])
      }
      expect(await creditsOf(buyer)).toBe(0)
      expect((await ground.received()) - before).toBe(1_000_000n)
    })

    it('a client that can do both spends credits first, and pays on chain without them', async () => {
      const buyer = await walletWith(3)
      await ground.chain.fund(buyer.address, 1_000_000n)
      const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer))
      client.registerExtension(createSIWxClientExtension({ signers: [buyer] }))
      const either = wrapFetchWithPayment(fetch, client)
      const rails = []
      for (const input of ['a', 'b', 'c']) {
        const answer = await either(gateway.url + HASH, post({ input }))
        expect(answer.status).toBe(200)
        rails.push(answer.headers.get('x-payment-rail'))
      }
      expect(rails).toEqual(['credits', 'x402', 'x402'])
      expect(await creditsOf(buyer)).toBe(1)
    })

    it('a wallet of a contract is an owner on its own chain', async () => {
      const wallet = await contractWallet(ground.chain)
      await ground.chain.fund(wallet.address, 1_000_000n)
      const bought = await payingFetch(wallet)(
        gateway.url + TOPUP,
        post({ amountUsd: 1, wallet: true }),
      )
      const { wallet: subject } = (await bought.json()) as { wallet: string }
      expect(subject).toBe(`eip155:8453:${wallet.address.toLowerCase()}`)
      const answer = await wrapFetchWithSIWx(fetch, wallet)(
        gateway.url + HASH,
        post({ input: 'x' }),
      )
      expect(answer.status).toBe(200)
      const stranger = { ...privateKeyToAccount(generatePrivateKey()), address: wallet.address }
      refusedFor(await call(await proofOf(stranger)), 'siwx_signature')
    })
  })

  describe('the offer', () => {
    it('is made for PUBLIC_URL alone, whatever host a request names', async () => {
      const { host } = new URL(gateway.url)
      const spoofed = await gateway.call('POST', HASH, {
        body: { input: 'x' },
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          forwarded: 'host=evil.example',
        },
      })
      expect(signInIn(spoofed)!.info).toMatchObject({ domain: host, uri: gateway.url + HASH })
    })

    it('stands wherever credits pay, and nowhere else', async () => {
      expect(signInIn(await gateway.call('POST', TOPUP, { body: { amountUsd: 1 } }))).toBeNull()
      expect(await offerOf(gateway, ECHO)).not.toBeNull()
    })

    it('leaves PAYMENT-REQUIRED below 4,096 characters, however long the address is', async () => {
      for (const length of [0, 100, 300, 600, 1000, 3000, 7000]) {
        const answer = await call(null, 'x', gateway, `${HASH}?q=${'a'.repeat(length)}`)
        expect(answer.status).toBe(402)
        const header = answer.headers.get('payment-required')!
        expect(header.length).toBeLessThan(4096)
        const { accepts } = decode(header) as { accepts: unknown[] }
        expect(accepts.length).toBeGreaterThan(0)
        if (length <= 300) expect([length, signInIn(answer)]).not.toEqual([length, null])
      }
    })

    it('is in the challenge of a tool, where a proof pays as well', async () => {
      const buyer = await walletWith(10)
      const ask = (meta: object) =>
        gateway.call('POST', '/mcp', {
          headers: { accept: 'application/json, text/event-stream' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'demo.hash', arguments: { input: 'x' }, _meta: meta },
          },
        })
      const unpaid = await ask({})
      const offer = unpaid.json.result.structuredContent.extensions['sign-in-with-x']
      expect(offer.info.uri).toBe('mcp://tool/demo.hash')
      const { info, supportedChains } = offer
      const { createSIWxMessage, encodeSIWxHeader } =
        await import('@x402/extensions/sign-in-with-x')
      const whole = { ...info, ...supportedChains[0] }
      const signature = await buyer.signMessage({
        message: createSIWxMessage(whole, buyer.address),
      })
      const proof = encodeSIWxHeader({ ...whole, address: buyer.address, signature })
      const paid = await ask({ 'x402/sign-in-with-x': proof })
      expect(paid.json.result.isError, paid.text).not.toBe(true)
      expect(await creditsOf(buyer)).toBe(8)
      const again = await ask({ 'x402/sign-in-with-x': proof })
      expect(again.json.result.isError).toBe(true)
      expect(await creditsOf(buyer)).toBe(8)
    })
  })

  describe('a proof', () => {
    it('pays for one call, whoever sends it again', async () => {
      const buyer = await walletWith(10)
      const proof = await proofOf(buyer)
      expect((await call(proof)).status).toBe(200)
      refusedFor(await call(proof), 'siwx_nonce_used')
      refusedFor(await call(proof, 'other'), 'siwx_nonce_used')
      expect(await creditsOf(buyer)).toBe(8)
    })

    it('eight times at once is charged once, on two instances', async () => {
      const port = await freePort()
      const shared = { ...gateways.ownSigner(), PUBLIC_URL: `http://127.0.0.1:${port}` }
      const first = await gateways.start({ ...shared, PORT: String(port) })
      const second = await gateways.start(shared)
      const buyer = await walletWith(20, first)
      const proof = await proofOf(buyer, {}, first)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => call(proof, 'x', i % 2 === 0 ? first : second)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(7)
      expect(await creditsOf(buyer)).toBe(18)
      // One instance's offer is good on the other, also after the first is gone.
      const kept = await proofOf(buyer, {}, first)
      await first.kill()
      expect((await call(kept, 'x', second)).status).toBe(200)
      refusedFor(await call(proof, 'x', second), 'siwx_nonce_used')
      const restarted = await gateways.start({ ...shared, PORT: String(port) })
      refusedFor(await call(kept, 'x', restarted), 'siwx_nonce_used')
      expect(await creditsOf(buyer)).toBe(16)
    })

    it('more of them at once than there are credits: never below zero', async () => {
      const buyer = await walletWith(5)
      const proofs = await Promise.all(Array.from({ length: 8 }, () => proofOf(buyer)))
      const answers = await Promise.all(proofs.map((proof) => call(proof)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(6)
      expect(await creditsOf(buyer)).toBe(1)
      const poor = await call(await proofOf(buyer))
      expect(poor.status).toBe(402)
      expect(signInIn(poor)).not.toBeNull()
    })

    it('is for its own address and query', async () => {
      const buyer = await walletWith(10)
      const proof = await proofOf(buyer)
      refusedFor(await call(proof, 'x', gateway, ECHO), 'siwx_uri_mismatch')
      refusedFor(await call(proof, 'x', gateway, `${HASH}?x=1`), 'siwx_uri_mismatch')
      expect((await call(proof)).status).toBe(200)
    })

    it('made for another port or host is not taken, whatever Host says', async () => {
      const buyer = await walletWith(10)
      const other = await gateways.start(gateways.ownSigner())
      refusedFor(await call(await proofOf(buyer, {}, other)), 'siwx_domain_mismatch')
      const evil = { domain: 'evil.example', uri: `http://evil.example${HASH}` }
      const forged = await proofOf(buyer, { before: evil })
      const answer = await gateway.call('POST', HASH, {
        body: { input: 'x' },
        headers: {
          'sign-in-with-x': forged,
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
        },
      })
      refusedFor(answer, 'siwx_domain_mismatch')
      await other.stop()
    })

    it.each<[string, NonNullable<Parameters<typeof proofFor>[2]>, string]>([
      ['dates moved', { before: { expirationTime: '2099-01-01T00:00:00.000Z' } }, 'siwx_nonce'],
      ['a nonce invented', { before: { nonce: 'ab'.repeat(16) } }, 'siwx_nonce'],
      ['a member edited', { after: { statement: 'Anything else' } }, 'siwx_edited'],
      ['a line feed in the statement', { after: { statement: 'a\nURI: x' } }, 'siwx_edited'],
      ['another chain', { before: { chainId: 'eip155:1' } }, 'siwx_unsupported_chain'],
      [
        'no chain of ours',
        { after: { chainId: 'solana:x', type: 'ed25519' } },
        'siwx_unsupported_chain',
      ],
      ['another signature', { after: { signature: `0x${'11'.repeat(65)}` } }, 'siwx_signature'],
      ['a long signature', { after: { signature: `0x${'11'.repeat(900)}` } }, 'siwx_signature'],
    ])('with %s is refused', async (_, bend, reason) => {
      const buyer = await walletWith(10)
      refusedFor(await call(await proofOf(buyer, bend)), reason)
      expect(await creditsOf(buyer)).toBe(10)
    })

    it('signed by another key spends nothing of the wallet it names', async () => {
      const buyer = await walletWith(10)
      const thief = privateKeyToAccount(generatePrivateKey())
      const proof = await proofOf(thief, { after: { address: buyer.address } })
      refusedFor(await call(proof), 'siwx_signature')
      expect(await creditsOf(buyer)).toBe(10)
    })

    it('that is too old is refused', async () => {
      const hasty = await gateways.start({ ...gateways.ownSigner(), WALLET_PROOF_TTL: '1s' })
      const buyer = await walletWith(10, hasty)
      const proof = await proofOf(buyer, {}, hasty)
      const { expirationTime } = JSON.parse(Buffer.from(proof, 'base64').toString())
      while (Date.now() <= Date.parse(expirationTime)) await Bun.sleep(50)
      const answer = await call(proof, 'x', hasty)
      expect(answer.status).toBe(402)
      expect(answer.problem.details.reason).toMatch(/^siwx_(issued_at|expired)$/)
      await hasty.stop()
    })

    it('of a wallet that bought nothing is a 402, and opens no account', async () => {
      const stranger = privateKeyToAccount(generatePrivateKey())
      refusedFor(await call(await proofOf(stranger)), 'wallet_without_credits')
      const rows = await ground.database.db.sql`
        SELECT FROM coinop.account_owner WHERE subject = ${`eip155:${stranger.address.toLowerCase()}`}`
      expect(rows).toHaveLength(0)
    })

    it('that is junk of any kind is a 402', async () => {
      const good = await proofOf(await walletWith(1))
      const junk = [
        'x',
        '%',
        'e30=',
        'bnVsbA==',
        '[]',
        `${good}!`,
        good.slice(0, -8),
        'A'.repeat(4100),
      ]
      for (const header of junk) refusedFor(await call(header), 'siwx_malformed')
    })

    it('beside an API key is left as it is', async () => {
      const buyer = await walletWith(10)
      const { key, id } = await gateway.key(10)
      const proof = await proofOf(buyer)
      const keyed = await gateway.call('POST', HASH, {
        body: { input: 'x' },
        headers: { 'x-api-key': key, 'sign-in-with-x': proof },
      })
      expect(keyed.headers.get('x-balance-credits')).toBe('8')
      expect((await gateway.admin('GET', `/v1/keys/${id}`)).json.balance.credits).toBe(8)
      expect((await call(proof)).status).toBe(200)
      expect(await creditsOf(buyer)).toBe(8)
    })

    it('is not used up by a call that never came to its price', async () => {
      const buyer = await walletWith(10)
      const proof = await proofOf(buyer)
      const bad = await gateway.call('POST', HASH, {
        body: { input: 5 },
        headers: { 'sign-in-with-x': proof },
      })
      expect(bad.status).toBe(400)
      expect((await call(proof)).status).toBe(200)
    })

    it('anew with the same Idempotency-Key gets the kept answer', async () => {
      const buyer = await walletWith(10)
      const retry = crypto.randomUUID()
      const once = async () =>
        gateway.call('POST', HASH, {
          body: { input: 'x' },
          headers: { 'sign-in-with-x': await proofOf(buyer), 'idempotency-key': retry },
        })
      const first = await once()
      const again = await once()
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await creditsOf(buyer)).toBe(8)
    })
  })

  describe('a session', () => {
    const begin = async (account: PrivateKeyAccount, at = gateway): Promise<Answer> => {
      const offer = signInIn(await at.call('POST', '/v1/wallets/session'))!
      const headers = { 'sign-in-with-x': await proofFor(offer, account) }
      return at.call('POST', '/v1/wallets/session', { headers })
    }
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    it('costs one proof, and is for a wallet with credits', async () => {
      const unsigned = await gateway.call('POST', '/v1/wallets/session')
      expect(unsigned.status).toBe(402)
      expect(unsigned.json.accepts).toEqual([])
      const buyer = await walletWith(10)
      const headers = { 'sign-in-with-x': await proofFor(signInIn(unsigned)!, buyer) }
      expect((await gateway.call('POST', '/v1/wallets/session', { headers })).status).toBe(200)
      const again = await gateway.call('POST', '/v1/wallets/session', { headers })
      expect([again.status, again.problem.details.reason]).toEqual([402, 'siwx_nonce_used'])
      const stranger = await begin(privateKeyToAccount(generatePrivateKey()))
      expect(stranger.status).toBe(402)
      // A proof for a call begins no session, nor the other way round.
      const forCall = { 'sign-in-with-x': await proofOf(buyer) }
      const wrong = await gateway.call('POST', '/v1/wallets/session', { headers: forCall })
      expect(wrong.problem.details.reason).toBe('siwx_uri_mismatch')
    })

    it('is kept as a digest, known to every instance, and over when its time is', async () => {
      const brief = await gateways.start({ ...gateways.ownSigner(), WALLET_SESSION_TTL: '1s' })
      const buyer = await walletWith(10)
      const { json } = await begin(buyer)
      expect(json.token).toMatch(/^cw_[A-Za-z0-9_-]{43}$/)
      const stored = await ground.database.db.sql<{ row: string }[]>`
        SELECT s::text AS row FROM plugin_wallet.session s`
      expect(stored.map(({ row }) => row).join()).not.toContain(json.token)
      const there = await brief.call('POST', HASH, {
        body: { input: 'x' },
        headers: bearer(json.token),
      })
      expect(there.status).toBe(200)
      const short = await begin(buyer, brief)
      while (Date.now() <= Date.parse(short.json.expiresAt)) await Bun.sleep(50)
      const late = await brief.call('POST', HASH, {
        body: { input: 'x' },
        headers: bearer(short.json.token),
      })
      expect([late.status, late.problem.details.reason]).toEqual([401, 'invalid_session'])
      await brief.stop()
    })

    it('that nobody began is a 401', async () => {
      for (const token of ['cw_', 'cw_x', `cw_${'A'.repeat(43)}`, `cw_${'A'.repeat(5000)}`]) {
        const answer = await gateway.call('POST', HASH, {
          body: { input: 'x' },
          headers: bearer(token),
        })
        expect([token, answer.status]).toEqual([token, 401])
        const me = await gateway.call('GET', '/v1/wallets/me', { headers: bearer(token) })
        expect(me.status).toBe(401)
      }
    })

    it('spends, and neither makes keys nor runs the gateway', async () => {
      const { json } = await begin(await walletWith(10))
      const me = await gateway.call('GET', '/v1/wallets/me', { headers: bearer(json.token) })
      expect(me.json).toMatchObject({ wallet: json.wallet, credits: 10 })
      for (const [method, path] of [
        ['POST', '/v1/keys'],
        ['GET', '/v1/keys'],
        ['GET', '/v1/ledger'],
        ['POST', '/v1/keys/key_x/jwt'],
        // A hold, or a plan, would outlive the session.
        ['POST', '/v1/credits/authorize'],
        ['GET', '/v1/credits/balance'],
        ['GET', '/v1/account'],
        ['GET', '/v1/usage'],
      ] as const) {
        const answer = await gateway.call(method, path, {
          headers: bearer(json.token),
          ...(method === 'POST' && { body: { name: 'mine' } }),
        })
        expect([path, answer.status]).toEqual([path, 401])
      }
    })
  })

  describe('a purchase', () => {
    const buy = (order: object, account = ground.buyer) =>
      payingFetch(account)(gateway.url + TOPUP, post(order))

    it('is for the wallet that pays, whatever the body says', async () => {
      const victim = await walletWith(10)
      const wallet = `eip155:${victim.address.toLowerCase()}`
      const named = await gateway.call('POST', TOPUP, {
        body: { amountUsd: 1, wallet },
        headers: { 'payment-signature': 'e30=' },
      })
      expect(named.status).toBe(400)
      const bought = await buy({ amountUsd: 1, wallet: true, payer: victim.address, owner: wallet })
      expect(await bought.json()).toMatchObject({
        wallet: `eip155:${ground.buyer.address.toLowerCase()}`,
      })
      expect(await creditsOf(victim)).toBe(10)
    })

    it('again adds to the same account, also at once', async () => {
      const buyer = await buyerOn(ground.chain, 5_000_000n)
      const order = { amountUsd: 1, wallet: true }
      const bought = await Promise.all(Array.from({ length: 4 }, () => buy(order, buyer)))
      for (const { status } of bought) expect(status).toBe(200)
      expect(await creditsOf(buyer)).toBe(400)
    })

    it('may be for an account that is named', async () => {
      const { id } = await gateway.key(0)
      const { accountId } = (await gateway.admin('GET', `/v1/keys/${id}`)).json
      const bought = await buy({ amountUsd: 1, accountId })
      expect(await bought.json()).toMatchObject({ accountId, credits: 100 })
      expect((await gateway.admin('GET', `/v1/keys/${id}`)).json.balance.credits).toBe(100)
    })

    it('names one recipient that is there, or moves no money', async () => {
      const before = await ground.received()
      const { id } = await gateway.key(0)
      const wrong: [object, number][] = [
        [{ wallet: true, apiKeyId: id }, 400],
        [{ wallet: 'yes' }, 400],
        [{ accountId: 5 }, 400],
        [{ accountId: 'nobody' }, 404],
        [{ accountId: crypto.randomUUID() }, 404],
      ]
      for (const [order, status] of wrong) {
        const headers = { 'payment-signature': 'e30=' }
        const answer = await gateway.call('POST', TOPUP, {
          body: { amountUsd: 1, ...order },
          headers,
        })
        expect([order, answer.status]).toEqual([order, status])
      }
      expect(await ground.received()).toBe(before)
    })
  })

  it('is off when it is switched off', async () => {
    const off = await gateways.start({ ...gateways.ownSigner(), WALLET_CREDITS: 'false' })
    const headers = { 'payment-signature': 'e30=' }
    const body = { amountUsd: 1, wallet: true }
    expect((await off.call('POST', TOPUP, { body, headers })).status).toBe(400)
    expect(signInIn(await call(null, 'x', off))).toBeNull()
    expect((await off.call('GET', '/v1/wallets/me')).status).toBe(404)
    await off.stop()
  })

  it('is off where a proof would go over an open line', async () => {
    const open = await gateways.start({
      ...gateways.ownSigner(),
      PUBLIC_URL: 'http://api.example.com',
    })
    expect(signInIn(await call(null, 'x', open))).toBeNull()
    await open.stop()
  })
})
