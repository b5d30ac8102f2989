/** A wallet in a test's page, found by EIP-6963: viem signs outside of the page. */
import type { Page } from 'puppeteer-core'
import { hexToString, type Hex, type PrivateKeyAccount } from 'viem'

/** What `injectWallet` noted of the requests that the page made. */
export interface InjectedWallet {
  methods: string[]
}

/** Announces a wallet of this account, on this chain, in every document that the page opens. */
export async function injectWallet(
  page: Page,
  account: PrivateKeyAccount,
  chainId: number,
): Promise<InjectedWallet> {
  const methods: string[] = []
  let chain = chainId
  async function answer(method: string, params: unknown[]): Promise<unknown> {
    methods.push(method)
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address]
      case 'eth_chainId':
        return `0x${chain.toString(16)}`
      case 'wallet_switchEthereumChain':
        chain = Number((params[0] as { chainId: string }).chainId)
        return null
      case 'personal_sign':
        return account.signMessage({ message: hexToString(params[0] as Hex) })
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(String(params[1])))
      default:
        throw new Error(`the wallet does not know ${method}`)
    }
  }
  await page.exposeFunction('testWallet', (method: string, params: unknown[]) =>
    answer(method, params),
  )
  await page.evaluateOnNewDocument(() => {
    const detail = Object.freeze({
      info: Object.freeze({
        uuid: '350670db-19fa-4704-a166-e52e178b59d2',
        name: 'Test Wallet <img src=x>',
        icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
        rdns: 'example.wallet',
      }),
      provider: {
        request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
          (
            window as unknown as { testWallet(method: string, params: unknown[]): Promise<unknown> }
          ).testWallet(method, params),
      },
    })
    const announce = (): void => {
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  })
  return { methods }
}
