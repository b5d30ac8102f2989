/** Routes that the operator alone may ask. */
import { type Route } from '#kernel'

type Described = Pick<Route, 'input' | 'output' | 'query' | 'statuses'>

/** Makes routes of one OpenAPI `tag` that ask for the admin token. */
export function adminRoutes(tag: string) {
  return (
    method: Route['method'],
    path: string,
    summary: string,
    handler: Route['handler'],
    described: Described,
  ): Route => ({ auth: 'admin', tag, method, path, summary, handler, ...described })
}
