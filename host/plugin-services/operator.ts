/** The operator's rights for a page of the gateway, which signs in once and then asks without a bearer. */
import { createHmac } from 'node:crypto'
import type { Operator } from '#kernel'
import type { Authenticator, ServiceParts } from '#kernel/host'

export interface OperatorDeps {
  auth: Authenticator
  /** Null: nobody is the operator. */
  adminToken: string | null
  serve: ServiceParts['serveOwn']
}

export function createOperator({ auth, adminToken, serve }: OperatorDeps): Operator {
  const bearer = `Bearer ${adminToken ?? ''}`
  const spellings = adminToken
    ? [adminToken, encodeURI(adminToken), encodeURIComponent(adminToken)]
    : []
  return {
    identify(token, clientAddress) {
      const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : null)
      return auth.operators.identify({ header }, clientAddress)
    },
    digest(secret) {
      return createHmac('sha256', secret).update(`coinop operator\0${bearer}`).digest('hex')
    },
    withoutToken(text) {
      return spellings.reduce((left, token) => left.replaceAll(token, '[hidden]'), text)
    },
    async serve(request, clientAddress, as) {
      return serve(request, {
        clientAddress,
        operator: request.headers.has('authorization') ? null : as,
      })
    },
  }
}
