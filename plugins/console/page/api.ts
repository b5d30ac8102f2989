/** Requests to the gateway's own routes, by way of the console and the session of who signed in. */
import { pageClient, type Asked } from '../../shared/pages/api.ts'

const client = pageClient('x-coinop-console')

/** The JSON answer of the gateway's route at `path`, like `askOwn`. */
export function ask<T>(path: string, asked?: Asked): Promise<T> {
  return client.ask(`/api${path}`, asked)
}

/** The JSON answer of the console itself at a path below its own. */
export const askOwn = client.ask
