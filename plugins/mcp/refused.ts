/** A credential that was refused: HTTP 401 with WWW-Authenticate, whatever the method. */
import { ERROR_TABLE, errorBody, type Failure } from '#kernel'
import { CODE, ProtocolError } from './protocol.ts'

/** Leaves the dispatcher; the endpoint answers with its status and headers. */
export class Refused extends ProtocolError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(failure: Failure, requestId: string) {
    const status = failure.status ?? ERROR_TABLE[failure.code].status
    const code = status === 401 ? CODE.unauthorized : CODE.internalError
    super(code, failure.message, errorBody(failure, requestId).error)
    this.status = status
    this.headers = failure.headers ?? {}
  }
}
