/** What of the problems with products the banner tells. */
import type { ProductProblem } from '../kernel/plugins/product-desk.ts'

/** Without a stored revision that is refused for what its changed file is refused for, too. */
export function toldOnce(all: readonly ProductProblem[]): ProductProblem[] {
  const messages = ({ problems }: ProductProblem): string =>
    problems.map(({ path, message }) => `${path} ${message}`).join('\n')
  return all.filter(
    (one) =>
      one.file !== null ||
      !all.some(
        (other) =>
          other.file !== null &&
          other.productId === one.productId &&
          messages(other) === messages(one),
      ),
  )
}
