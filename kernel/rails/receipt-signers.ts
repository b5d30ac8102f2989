/** The signer of receipts that is mounted now: of all plugins that bring one, the first counts. */
import { reserveHeaders } from '../net/reserved-headers.ts'
import type { ReceiptSigner } from './contract.ts'

export class ReceiptSigners {
  #signers: readonly ReceiptSigner[] = []

  /** Takes over what the mounted plugins bring; returns those that are not used. */
  setOfPlugins(brought: readonly ReceiptSigner[]): readonly ReceiptSigner[] {
    const [first, ...others] = brought
    if (first !== this.current()) {
      this.#signers = first ? [first] : []
      for (const { answerHeaders } of this.#signers) {
        reserveHeaders(
          [],
          answerHeaders.map(({ name }) => name),
        )
      }
    }
    return others
  }

  /** Null: answers go out without signed receipts. */
  current(): ReceiptSigner | null {
    return this.#signers[0] ?? null
  }

  /** The same array until the signer changes. */
  list(): readonly ReceiptSigner[] {
    return this.#signers
  }
}
