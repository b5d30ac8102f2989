/** The answers of the gateway's routes, as far as the page reads them: webhook deliveries. */

export interface Delivery {
  id: string
  endpointId: string
  deliveryId: string | null
  apiKeyId: string | null
  event: string | null
  sizeBytes: number
  sha256: string
  purged: boolean
  createdAt: string
  status: string
}

export interface DeliveryDetail extends Delivery {
  headers: Record<string, string>
  forwards: {
    id: string
    destinationId: string
    url: string
    cycle: number
    state: string
    maxAttempts: number
    apiKeyId: string | null
    rail: string | null
    authorizationId: string | null
    nextAttemptAt: string | null
    lastError: string | null
    createdAt: string
    endedAt: string | null
    attempts: {
      n: number
      at: string
      status: number | null
      error: string | null
      ms: number
      excerpt: string | null
    }[]
  }[]
}
