/** Requests to the portal's own routes. */
import { pageClient } from '../../shared/pages/api.ts'

const client = pageClient('x-coinop-account')

export const { ask, home } = client

/** The JSON answer of a route below /account/api. */
export const askApi: typeof ask = (path, asked) => ask(`/api${path}`, asked)
