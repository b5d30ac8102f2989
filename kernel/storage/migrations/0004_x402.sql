-- Payments presented by x402 (kernel/rails/x402/claims.ts). One row per signed authorization or plain
-- transfer: the unique key is what makes a payment run a skill once, across routes and instances.
CREATE TABLE coinop.x402_claim (
  -- The hold id of the call that owns the claim; a newer call that takes it over changes it, so the
  -- id is also the fence against the older one.
  id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  -- The authorization's nonce, or the transaction hash of a plain transfer.
  nonce text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'released', 'failed', 'prepaid')),
  -- Settled before the work ran (POST /v1/x402/settle).
  prepaid boolean NOT NULL DEFAULT false,
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  key_id text,
  skill_id text NOT NULL,
  path text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  price_version integer NOT NULL,
  acquisition text,
  -- What is sent to a facilitator: the signed payload and the offer it was matched to. Null for transfers.
  payment jsonb,
  -- Seconds since 1970; after it the authorization is worth nothing on chain.
  valid_before bigint NOT NULL,
  -- Tells one sandbox chain from the next, which starts empty. Null on real networks.
  chain_ref text,
  -- Until then the owner (of the work, or of the settlement) is not disturbed.
  lease_until timestamptz NOT NULL,
  -- The settlement worker that holds the lease.
  lease_token uuid,
  attempts integer NOT NULL DEFAULT 0,
  -- Whether some attempt may have moved the money.
  uncertain boolean NOT NULL DEFAULT false,
  -- Why it failed or was released, or the last trouble of a settlement under way.
  reason text,
  transaction text,
  ledger_id text,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  CONSTRAINT x402_claim_payment UNIQUE (network, asset, payer, nonce)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE INDEX x402_claim_open ON coinop.x402_claim (state, lease_until) WHERE state IN ('claimed', 'settling');
--> statement-breakpoint
CREATE INDEX x402_claim_prepaid ON coinop.x402_claim (request_id) WHERE prepaid AND state IN ('prepaid', 'claimed');
--> statement-breakpoint
CREATE INDEX x402_claim_transaction ON coinop.x402_claim (transaction) WHERE transaction IS NOT NULL;
--> statement-breakpoint
CREATE INDEX x402_claim_kept ON coinop.x402_claim (created_at) WHERE body IS NOT NULL;
--> statement-breakpoint
CREATE INDEX x402_claim_gone ON coinop.x402_claim (valid_before) WHERE state IN ('claimed', 'released', 'failed');
