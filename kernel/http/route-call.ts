import type { Seen } from './incoming.ts'

/** One request on its way to a route. */
export interface RouteCall {
  request: Request
  params: Readonly<Record<string, string>>
  search: string
  requestId: string
  clientAddress: string
  /** Where what is found out of the request is put. */
  seen?: Seen
}
