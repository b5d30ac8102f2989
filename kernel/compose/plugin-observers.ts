/** Mounted plugins hear of requests and of operators' changes, and say who operators are. */
import type { Operators } from '../auth/operators.ts'
import type { OperatorChanges } from '../http/operator-changes.ts'
import type { RequestObservers } from '../metering/observe-call.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Hands over those of each snapshot; returns the end of following. */
export function followPluginObservers(
  registry: ProductRegistry,
  parts: { observers: RequestObservers; changes: OperatorChanges; operators: Operators },
): () => void {
  return registry.onChange(() => {
    const instances = [...registry.current().products.values()].map(
      (product) => product.parts.started.instance,
    )
    parts.observers.set(instances.flatMap(({ requests }) => requests ?? []))
    parts.changes.set(instances.flatMap(({ changes }) => changes ?? []))
    parts.operators.set(instances.flatMap(({ operators }) => operators ?? []))
  })
}
