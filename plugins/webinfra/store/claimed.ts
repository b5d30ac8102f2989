/** A forward that this instance holds the lease of, with all it takes to send it. */
import type { StoredSecret } from '../secrets.ts'

export interface Claimed {
  forwardId: string
  deliveryId: string
  cycle: number
  /** Attempts made before this one. */
  attempts: number
  maxAttempts: number
  /** Only the holder of the newest token may write the outcome. */
  leaseToken: number
  /** Leases of it that passed: whoever had them ended, or could not write down what came of it. */
  lapses: number
  /** The last of them passed just now. */
  hasLapsed: boolean
  payerKeyId: string | null
  /** It waited for funds, as others of its key may still do. */
  parked: boolean
  timeoutMs: number
  destination: {
    id: string
    url: string
    headers: string | null
    secrets: StoredSecret[]
    enabled: boolean
    /** Its last attempts failed. */
    failing: boolean
  }
  payload: {
    /** Null when the retention time has passed. */
    body: Uint8Array | null
    headers: Record<string, string>
  }
}
