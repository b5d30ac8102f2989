/** The answers of the gateway's routes, as far as the page reads them: operators and what they changed. */

/** What became of one value; `before` or `after` absent: it was not there. */
export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

export interface OperatorRow {
  id: string
  name: string
  role: 'read' | 'operate' | 'owner'
  madeBy: string
  createdAt: string
  revokedAt: string | null
  revokedBy: string | null
}

export interface ChangeRow {
  id: string
  at: string
  operator: string
  role: string
  requestId: string
  method: string
  path: string
  status: number
  input: unknown
  differences: Difference[]
}
