/** Keeps the signer of receipts in step with the mounted plugins. */
import { followInstances } from './follow-instances.ts'
import type { Logger } from '../log/logger.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { ReceiptSigner } from '../rails/contract.ts'
import type { ReceiptSigners } from '../metering/receipts.ts'

/** Takes over the signer of every snapshot of the products; returns the end of following. */
export function followReceiptSigner(
  registry: Pick<ProductRegistry, 'current' | 'onChange'>,
  signers: ReceiptSigners,
  log: Logger,
): () => void {
  let refusedBefore: readonly ReceiptSigner[] = []
  const take = (brought: readonly ReceiptSigner[]): void => {
    const refused = signers.setOfPlugins(brought)
    if (refused.some((signer) => !refusedBefore.includes(signer)))
      log.error({ signers: brought.length }, 'several plugins sign receipts; the first one does')
    refusedBefore = refused
  }
  return followInstances(registry, ({ receiptSigner }) => receiptSigner, take)
}
