/** What an operator may set under `config:` of products/webinfra.yaml, with the defaults. */
import { Type, type Static } from 'typebox'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const MIB = 1_048_576
const MAX_BYTES = 1_099_511_627_776

/** 17.6 hours in all, inside the dedupe window of 24 hours. */
const SCHEDULE_MS = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
]

const integer = (minimum: number, maximum: number, byDefault: number, description: string) =>
  Type.Integer({ minimum, maximum, default: byDefault, description })

export const RelayConfig = Type.Object(
  {
    scheduleMs: Type.Array(Type.Integer({ minimum: 1, maximum: 24 * HOUR }), {
      minItems: 1,
      maxItems: 50,
      default: SCHEDULE_MS,
      description: 'Wait before each retry, ±20 %; an endpoint with more attempts repeats the last',
    }),
    maxPayloadBytes: integer(1, 16_777_216, 1_048_576, 'Largest payload of one delivery'),
    concurrency: integer(1, 1000, 64, 'Forwards under way at once, per instance'),
    perDestination: integer(1, 1000, 16, 'Background forwards to one destination at once'),
    answerWithinMs: integer(
      0,
      30_000,
      2500,
      'How long the sender waits for the first attempt before it hears "accepted"',
    ),
    pollMs: integer(10, 60_000, 500, 'How often an instance looks for due forwards'),
    fundsPollMs: integer(
      100,
      3_600_000,
      60_000,
      'How often a parked key is tried without a top-up',
    ),
    leaseMarginMs: integer(
      1000,
      600_000,
      30_000,
      "Lease of a claimed forward beyond the endpoint's timeout; a crashed one is taken over then",
    ),
    disableAfterHours: integer(
      0,
      8760,
      120,
      'A destination is disabled when a forward to it dies after failures alone for so long; 0: never',
    ),
    maxParked: integer(1, 1_000_000, 10_000, 'Forwards that one key may have waiting for funds'),
    maxEndpointBytes: integer(
      1024,
      MAX_BYTES,
      64 * MIB,
      'Bytes stored at one endpoint that no destination has taken; beyond it the oldest payloads without work left are dropped, then webhooks are refused',
    ),
    maxKeyBytes: integer(
      1024,
      MAX_BYTES,
      256 * MIB,
      'The same for one paying key, over all endpoints',
    ),
    maxUnfundedBytes: integer(
      1024,
      MAX_BYTES,
      MIB,
      'The same for a key that cannot pay a forward at the moment',
    ),
    payloadDays: integer(1, 3650, 30, 'Payloads are kept this long, and then no longer replayable'),
    recordDays: integer(1, 3650, 90, 'Deliveries and their attempts are listed this long'),
  },
  { additionalProperties: false },
)
export type RelayConfig = Static<typeof RelayConfig>

/** One forward of a webhook is tried so often unless its endpoint says otherwise. */
export const DEFAULT_MAX_ATTEMPTS = 8
export const DEFAULT_TIMEOUT_MS = 15_000
/** The dedupe window of the service. */
export const DEDUPE_MS = 24 * HOUR
