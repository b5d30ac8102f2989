/** Connection texts of a server on a unix socket. */

/** The text that psql and DATABASE_URL accept for a server on a unix socket. */
export function socketUrl(socketDir: string, user: string, database: string): string {
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(socketDir)}`
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${encodeURIComponent(database)}`
  return parsed.href
}
