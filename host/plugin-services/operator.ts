/** The operator's rights for a page of the gateway, which signs in once and then asks without a bearer. */
import { createHmac } from 'node:crypto'
import type { Operator } from '#kernel'
import type { Authenticator, ServiceParts } from '#kernel/host'

export interface OperatorDeps {
  auth: Authenticator
  /** Null: nobody is the operator. */
  adminToken: string | null
  /** SERVICE_TOKEN and METRICS_TOKEN, each of several. */
  otherTokens: readonly string[]
  serve: ServiceParts['serveOwn']
}

export function createOperator({ auth, adminToken, otherTokens, serve }: OperatorDeps): Operator {
  const bearer = `Bearer ${adminToken ?? ''}`
  const tokens = [...(adminToken ? [adminToken] : []), ...otherTokens].map(spelledAnyhow)
  return {
    identify(token, clientAddress) {
      const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : null)
      return auth.operators.identify({ header }, clientAddress)
    },
    digest(secret) {
      return createHmac('sha256', secret).update(`coinop operator\0${bearer}`).digest('hex')
    },
    withoutTokens(text) {
      return tokens.reduce((left, token) => left.replaceAll(token, '[hidden]'), text)
    },
    async serve(request, clientAddress, as) {
      return serve(request, {
        clientAddress,
        operator: request.headers.has('authorization') ? null : as,
      })
    },
  }
}

/** Matches the token however its characters are escaped in a URL. */
function spelledAnyhow(token: string): RegExp {
  const spelled = [...token].map((character) => {
    const bytes = [...new TextEncoder().encode(character)]
    const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const anyCase = escaped.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:${RegExp.escape(character)}|${anyCase}${character === ' ' ? String.raw`|\+` : ''})`
  })
  return new RegExp(spelled.join(''), 'g')
}
