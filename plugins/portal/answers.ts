/** Answers of the account pages that are no page: redirects and JSON, each with the cookies to set. */

/** 303 to a path of this site. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** 200 with the body, for the pages' own scripts. */
export function json(body: object, cookies: readonly string[] = []): Response {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return Response.json(body, { headers })
}
