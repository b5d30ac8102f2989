/** Reads of many rows, which give up after some seconds. */
import type { SqlClient, SqlTransaction } from '#kernel/host'

/** Runs reads in a transaction that writes nothing; a statement that takes longer throws. */
export function boundedRead(
  sql: SqlClient,
): <T>(timeoutMs: number, read: (tx: SqlTransaction) => Promise<T>) => Promise<T> {
  return <T>(timeoutMs: number, read: (tx: SqlTransaction) => Promise<T>) =>
    sql.begin('read only', async (tx) => {
      await tx.unsafe(`SET LOCAL statement_timeout = ${timeoutMs}`)
      return read(tx)
    }) as Promise<T>
}
