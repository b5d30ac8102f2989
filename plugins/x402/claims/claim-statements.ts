/**
 * SQL of the writes of every paid call, one statement each for any number of calls: claim → settling with
 * the answer → settled with the ledger's entry and the headers of its signed receipt. Orders go in as one
 * JSON text, which costs the gateway far less than arrays; rows are locked in one order everywhere, so batches cannot deadlock.
 */
import type { Settlements } from '#kernel'
import { leaseFor } from './leases-sql.ts'
import { NO_INPUT } from './states.ts'

/**
 * The orders of a statement. The two LIMITs cut nothing: each parameter makes the planner expect a
 * tenth, so that it plans for one order and looks its claim up by id, also when it plans (and keeps
 * the plan) while the table is empty. A claim is judged after that: a condition on its state would
 * lead the planner to the index of open claims, which it then walks once for every order.
 */
const ordersOf = (columns: string) => `o AS MATERIALIZED (
  SELECT * FROM (
    SELECT * FROM json_to_recordset($1::text::json) AS o(${columns}) LIMIT $2::bigint) o
  LIMIT $2::bigint)`

/**
 * A payment is taken over from a call whose work failed, whose settlement was refused, or whose
 * lease ran out before it settled; never one that has a ledger entry, because its money is here.
 */
export const CLAIM = `
WITH ${ordersOf(`id uuid, network text, asset text, payer text, nonce text, fingerprint text,
    request_id text, key_id text, skill_id text, path text, amount bigint, units numeric, price_version integer,
    acquisition text, payment jsonb, valid_before bigint, chain_ref text, rail text, lease_ms float8`)}
INSERT INTO x402_claim AS c (id, network, asset, payer, nonce, state, fingerprint, request_id, key_id,
  skill_id, path, amount, units, price_version, acquisition, payment, valid_before, chain_ref, rail, lease_until)
SELECT id, network, asset, payer, nonce, 'claimed', fingerprint, request_id, key_id, skill_id, path, amount, units,
  price_version, acquisition, payment, valid_before, chain_ref, rail, ${leaseFor('lease_ms')}
FROM o ORDER BY payer, nonce, network, asset
ON CONFLICT ON CONSTRAINT x402_claim_payment DO UPDATE SET
  id = excluded.id, state = 'claimed', fingerprint = excluded.fingerprint, request_id = excluded.request_id,
  key_id = excluded.key_id, skill_id = excluded.skill_id, path = excluded.path, amount = excluded.amount, units = excluded.units,
  price_version = excluded.price_version, acquisition = excluded.acquisition, payment = excluded.payment,
  valid_before = excluded.valid_before, chain_ref = excluded.chain_ref, rail = excluded.rail, lease_until = excluded.lease_until,
  lease_token = NULL, attempts = 0, uncertain = false, reason = NULL, status = NULL, headers = NULL, body = NULL,
  created_at = now()
WHERE NOT c.prepaid AND c.ledger_id IS NULL
  AND (c.state IN ('released', 'failed') OR (c.state = 'claimed' AND c.lease_until < now()))
RETURNING c.id`

/** Repeated with the same lease it finds its own row again. */
export const SETTLING = `
WITH ${ordersOf(`id uuid, status integer, headers jsonb, body text, lease_token uuid,
    lease_ms float8, amount bigint, units numeric`)},
k AS MATERIALIZED (
  SELECT o.*, NOT c.prepaid AND c.ledger_id IS NULL
    AND (c.state = 'claimed' OR (c.state = 'settling' AND c.lease_token = o.lease_token)) AS is_ours
  FROM x402_claim c JOIN o USING (id) ORDER BY c.id FOR NO KEY UPDATE OF c)
UPDATE x402_claim c
SET state = 'settling', amount = COALESCE(k.amount, c.amount), units = COALESCE(k.units, c.units), status = k.status, headers = k.headers, body = decode(k.body, 'base64'),
  lease_token = k.lease_token, lease_until = ${leaseFor('k.lease_ms')}, attempts = 1, uncertain = true
FROM k WHERE c.id = k.id AND k.is_ours
RETURNING c.id`

/**
 * The claim names everything the ledger's entry holds. What its client sent is not needed any more,
 * and is the largest part of a row. The receipt's headers stand beside those of the answer, which stay. A claim without an answer was for a stream: it stays claimed
 * while the answer is streamed, else its buyer may run it again. (One without a fingerprint was paid
 * ahead by POST /v1/x402/settle and has no answer yet.)
 */
export const settledStatement = (settlements: Pick<Settlements, 'recording'>): string => `
WITH ${ordersOf('id uuid, transaction text, streaming_ms float8, headers jsonb')},
k AS MATERIALIZED (
  SELECT c.id, c.network, c.asset || ':' || c.payer || ':' || c.nonce AS reference,
    c.key_id, c.amount, c.request_id, c.skill_id, c.path, c.price_version, c.acquisition, o.transaction,
    COALESCE(o.headers || c.headers, c.headers) AS headers,
    CASE WHEN c.status IS NOT NULL OR c.fingerprint = '${NO_INPUT}' THEN 'settled'
      WHEN o.streaming_ms IS NOT NULL THEN 'claimed' ELSE 'prepaid' END AS state,
    COALESCE(${leaseFor('o.streaming_ms')}, c.lease_until) AS lease_until, c.state = 'settling' AS is_settling
  FROM x402_claim c JOIN o USING (id) ORDER BY c.id FOR NO KEY UPDATE OF c),
arrived AS (SELECT * FROM k WHERE is_settling),
e AS (${settlements.recording('x402', 'arrived')})
UPDATE x402_claim c
SET state = k.state, transaction = k.transaction, ledger_id = e.ledger_id, settled_at = now(), reason = NULL,
  headers = k.headers, lease_until = k.lease_until, payment = c.payment - 'sent'
FROM k JOIN e USING (network, reference)
WHERE c.id = k.id
RETURNING c.id, c.ledger_id`

/**
 * Adds headers to the answers of settled claims; nothing happens where there is no answer. Those that it
 * has stay: of two receipts of one answer every retry gets the first.
 */
export const KEEP_HEADERS = `
WITH ${ordersOf('id uuid, headers jsonb')},
k AS MATERIALIZED (
  SELECT o.* FROM x402_claim c JOIN o USING (id)
  WHERE c.state = 'settled' AND c.headers IS NOT NULL ORDER BY c.id FOR NO KEY UPDATE OF c)
UPDATE x402_claim c SET headers = k.headers || c.headers FROM k WHERE c.id = k.id
RETURNING c.id`
