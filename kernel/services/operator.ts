/** The operator's rights for a page of the gateway, which signs in once and then asks without a bearer. */
import { createHmac } from 'node:crypto'
import type { Authenticator } from '../auth/contract.ts'
import { Incoming } from '../http/incoming.ts'
import type { Operator } from '../plugins/services.ts'

export interface OperatorDeps {
  auth: Authenticator
  /** Null: nobody is the operator. */
  adminToken: string | null
  /** Serves a request of the gateway's own. */
  serve(incoming: Incoming): Promise<Response>
}

export function createOperator({ auth, adminToken, serve }: OperatorDeps): Operator {
  const bearer = `Bearer ${adminToken ?? ''}`
  return {
    identify(token, clientAddress) {
      const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : null)
      return auth.operators.identify({ header }, clientAddress)
    },
    digest(secret) {
      return createHmac('sha256', secret).update(`coinop operator\0${bearer}`).digest('hex')
    },
    async serve(request, clientAddress, as) {
      const peer = { requestIP: () => ({ address: clientAddress }) }
      // The address was found when the page's own request came in.
      const callerOf = (address: string) => address
      const incoming = new Incoming(request, peer, undefined, callerOf)
      if (!request.headers.has('authorization')) incoming.seen.operator = as
      return serve(incoming)
    },
  }
}
