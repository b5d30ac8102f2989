/** A page that buys with unmodified clients, bundled for a browser by the test that opens it. */
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import axios from 'axios'
import { evm, Fetch } from 'mppx/client'
import { assets } from 'mppx/evm'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export type Buyer = 'x402/fetch' | 'x402/axios' | 'mppx' | 'traced'

/** Posts a JSON body to `url` and gives the text and one header of the answer. */
async function buy(
  buyer: Buyer,
  url: string,
  body: object,
  privateKey: Hex,
): Promise<[status: number, text: string, header: string | null]> {
  const account = privateKeyToAccount(privateKey)
  const schemes = [{ network: 'eip155:*' as const, client: new ExactEvmScheme(account) }]
  if (buyer === 'x402/axios') {
    const client = axios.create({ transformResponse: (text: string) => text })
    const answer = await wrapAxiosWithPaymentFromConfig(client, { schemes }).post(url, body)
    return [answer.status, answer.data, String(answer.headers['x-payment-rail'])]
  }
  const here = globalThis.fetch.bind(globalThis)
  const pay = {
    'x402/fetch': () => wrapFetchWithPaymentFromConfig(here, { schemes }),
    mppx: () =>
      Fetch.from({
        fetch: here,
        methods: [evm.charge({ account, currencies: [assets.base.USDC] })],
      }),
    traced: () => here,
  }[buyer]()
  const answer = await pay(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(buyer === 'traced' && {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-of-the-upstream': '1',
      }),
    },
    body: JSON.stringify(body),
  })
  return [answer.status, await answer.text(), answer.headers.get('x-payment-rail')]
}

Object.assign(globalThis, { buy })
