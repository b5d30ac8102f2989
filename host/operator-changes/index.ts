/**
 * What the kernel is handed: telling plugins what operators change by admin routes: who, when, what
 * was asked, and what GET of the same path, or of the one above it, answered before and after.
 */
import type { ChangeObserver, Logger, OperatorIdentity, Route } from '#kernel'
import type { CreateOperatorChanges, OperatorChanges, OwnRequest, RouteCall } from '#kernel/host'

/** Longer answers are not reported. */
const SHOWN_CHARACTERS = 4_194_304

export const createOperatorChanges: CreateOperatorChanges = (serve, log) =>
  new ToldChanges(serve, log)

class ToldChanges implements OperatorChanges {
  readonly #serve: (request: Request, from: OwnRequest) => Promise<Response>
  readonly #log: Pick<Logger, 'error'>
  #observers: readonly ChangeObserver[] = []

  /** `serve` answers a request that the gateway makes to itself. */
  constructor(
    serve: (request: Request, from: OwnRequest) => Promise<Response>,
    log: Pick<Logger, 'error'>,
  ) {
    this.#serve = serve
    this.#log = log
  }

  set(observers: readonly ChangeObserver[]): void {
    this.#observers = observers
  }

  get isOn(): boolean {
    return this.#observers.length > 0
  }

  /** The answer of `work`, once the change is told. One that was refused changed nothing. */
  async around(
    route: Route,
    call: RouteCall,
    work: () => Response | Promise<Response>,
  ): Promise<Response> {
    const operator = call.seen?.operator
    if (!operator) return work()
    const at = new Date()
    // Those of now: the change may be that the product of one is taken out of service.
    const observers = this.#observers
    const own = new URL(call.request.url).pathname
    const before = await this.#look(own, call, operator)
    // What an action such as '/v1/keys/{id}/rotate' changes is shown a step above it.
    const above = own.slice(0, own.lastIndexOf('/'))
    const beforeAbove = before === null ? await this.#look(above, call, operator) : null
    const answer = await work()
    const { status } = answer
    if (status >= 400 && status < 500) return answer
    const { request, requestId, clientAddress } = call
    const after = await this.#look(own, call, operator)
    const isAbove = before === null && after === null && beforeAbove !== null
    const change = {
      operator: operator.name,
      role: operator.role,
      at,
      requestId,
      method: request.method,
      path: own,
      route: route.path,
      clientAddress,
      status,
      input: call.seen?.input,
      before: isAbove ? beforeAbove : before,
      after: isAbove ? await this.#look(above, call, operator) : after,
    }
    for (const observer of observers) {
      try {
        await observer.changed(change)
      } catch (error) {
        this.#log.error({ err: error, requestId, operator: operator.name }, 'a change was not kept')
      }
    }
    return answer
  }

  /** What GET of a path shows now; null where nothing does. */
  async #look(
    path: string,
    { request, clientAddress }: RouteCall,
    operator: OperatorIdentity,
  ): Promise<unknown> {
    try {
      const own = new Request(new URL(path, request.url))
      const answer = await this.#serve(own, { clientAddress, operator, isLook: true })
      if (!answer.ok) return null
      const text = await answer.text()
      return text.length > SHOWN_CHARACTERS ? null : JSON.parse(text)
    } catch {
      return null
    }
  }
}
