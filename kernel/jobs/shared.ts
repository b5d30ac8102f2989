/** The pool as one holder of a share sees it. */
import type { DocumentPool } from './contract.ts'

/** The pool whose jobs take the turns of `share`, unless they name another. */
export function poolOf(pool: DocumentPool, share: string): DocumentPool {
  return {
    run: (module, handler, input, options) =>
      pool.run(module, handler, input, { share, ...options }),
  }
}
