/**
 * The tables of the rail. Gateways of before it was a plugin have them in the schema of the kernel:
 * those move here with their rows and indexes, each by itself, because the oldest have not both.
 */
import type { Migration } from '#kernel'

const TABLES = `
-- Payments that were presented. One row per signed authorization or plain transfer: the unique key
-- is what makes a payment run a skill once, across routes and instances.
CREATE TABLE IF NOT EXISTS x402_claim (
  -- The hold id of the call that owns the claim. A newer call that takes the claim over changes it,
  -- so the id also fences off the older call.
  id uuid PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  payer text NOT NULL,
  -- The authorization's nonce, or the transaction hash of a plain transfer.
  nonce text NOT NULL,
  state text NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'released', 'failed', 'prepaid')),
  -- Settled before the work ran (POST /v1/x402/settle).
  prepaid boolean NOT NULL DEFAULT false,
  -- SHA-256 of what was asked; empty while a prepaid claim waits for its request.
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  key_id text,
  skill_id text NOT NULL,
  path text NOT NULL,
  -- Atomic units of the asset.
  amount bigint NOT NULL CHECK (amount > 0),
  price_version integer NOT NULL,
  acquisition text,
  -- What is sent to a facilitator: the signed payload and the offer it was matched to. Null for transfers.
  payment jsonb,
  -- Seconds since 1970; the authorization expires on chain then.
  valid_before bigint NOT NULL,
  -- Tells one sandbox chain from the next, which starts empty. Null on real networks.
  chain_ref text,
  -- Until then the owner of the work or of the settlement has the claim to itself.
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
  -- The kept answer: status, headers and body.
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  CONSTRAINT x402_claim_payment UNIQUE (network, asset, payer, nonce)
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS x402_claim_open ON x402_claim (state, lease_until) WHERE state IN ('claimed', 'settling');
CREATE INDEX IF NOT EXISTS x402_claim_prepaid ON x402_claim (request_id) WHERE prepaid AND state IN ('prepaid', 'claimed');
-- Finds what POST /v1/x402/settle has paid for by its request id, also once its answer was given.
CREATE INDEX IF NOT EXISTS x402_claim_prepaid_request ON x402_claim (request_id) WHERE prepaid;
CREATE INDEX IF NOT EXISTS x402_claim_transaction ON x402_claim (transaction) WHERE transaction IS NOT NULL;
CREATE INDEX IF NOT EXISTS x402_claim_kept ON x402_claim (created_at) WHERE body IS NOT NULL;
CREATE INDEX IF NOT EXISTS x402_claim_gone ON x402_claim (valid_before) WHERE state IN ('claimed', 'released', 'failed');

-- Transactions of the gateway's own account that may be out and are not known to be mined. A row is
-- written before its transaction is first sent, so that any instance, and also the next start, can
-- replace it by one with higher fees and the same account nonce.
CREATE TABLE IF NOT EXISTS x402_outgoing (
  -- CAIP-2 network, or the mark of a sandbox chain.
  chain text NOT NULL,
  account text NOT NULL,
  account_nonce bigint NOT NULL,
  -- The payment that it settles.
  asset text NOT NULL,
  payer text NOT NULL,
  nonce text NOT NULL,
  target text NOT NULL,
  data text NOT NULL,
  gas bigint NOT NULL,
  -- Fees of each transaction that was sent, oldest first: [[maxFeePerGas, maxPriorityFeePerGas], ...] in wei.
  forms jsonb NOT NULL,
  -- None of them pays more than this for a unit of gas, in wei.
  most_per_gas numeric NOT NULL,
  -- Until then whoever sent it raises its fees; afterwards anyone whose transaction waits behind it may.
  tended_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- An account nonce is given once, and a payment has one, whichever instance asks.
  PRIMARY KEY (chain, account, account_nonce),
  CONSTRAINT x402_outgoing_payment UNIQUE (chain, account, asset, payer, nonce)
);`

export const migrations: readonly Migration[] = [
  {
    id: '0001',
    up: `
ALTER TABLE IF EXISTS coinop.x402_claim SET SCHEMA plugin_x402;
ALTER TABLE IF EXISTS coinop.x402_outgoing SET SCHEMA plugin_x402;
${TABLES}`,
  },
  {
    // Units of a token with 18 decimals do not fit a bigint, and `amount` is millionths of a dollar.
    id: '0002',
    up: `
ALTER TABLE plugin_x402.x402_claim ADD COLUMN units numeric CHECK (units > 0);
COMMENT ON COLUMN plugin_x402.x402_claim.units IS 'Of the asset; null: as many as amount';`,
  },
  {
    // Channels of scheme batch-settlement. A call through a channel is a claim like any other, whose
    // nonce is 'channel:<channel>:<sum charged before it>': one sum buys once. What it was charged is
    // added to its channel by the statement that settles the claim, whichever statement that is.
    id: '0003',
    up: `
CREATE TABLE plugin_x402.x402_channel (
  -- Hash of its config, of the chain and of the contract.
  id text PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  receiver text NOT NULL,
  authorizer text NOT NULL,
  config jsonb NOT NULL,
  -- On the chain, as of synced_at; in units of the asset like all amounts here.
  balance numeric NOT NULL,
  total_claimed numeric NOT NULL,
  withdraw_requested_at bigint NOT NULL,
  refund_nonce numeric NOT NULL,
  synced_at timestamptz NOT NULL,
  -- Bought so far, and the last voucher that bought something.
  charged numeric NOT NULL,
  signed_max numeric,
  signature text,
  -- When the oldest sum that is not claimed was charged.
  unclaimed_since timestamptz,
  -- When the last claim was mined: its block may still be undone.
  claimed_at timestamptz,
  -- Since the last charge; each costs the gateway gas.
  refunds integer NOT NULL DEFAULT 0,
  -- Until then one worker claims it on the chain.
  lease_until timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX x402_channel_unclaimed ON plugin_x402.x402_channel (network, asset, unclaimed_since)
  WHERE charged > total_claimed;
CREATE INDEX x402_channel_claimed ON plugin_x402.x402_channel (network, asset, claimed_at);

CREATE FUNCTION plugin_x402.x402_channel_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE plugin_x402.x402_channel SET
    charged = GREATEST(charged, split_part(NEW.nonce, ':', 3)::numeric + COALESCE(NEW.units, NEW.amount)),
    signed_max = (NEW.payment #>> '{payload,voucher,maxClaimableAmount}')::numeric,
    signature = NEW.payment #>> '{payload,voucher,signature}',
    unclaimed_since = COALESCE(unclaimed_since, now()),
    refunds = 0
  WHERE id = split_part(NEW.nonce, ':', 2);
  RETURN NULL;
END $$;
CREATE TRIGGER x402_channel_charge AFTER UPDATE OF ledger_id ON plugin_x402.x402_claim
  FOR EACH ROW WHEN (OLD.ledger_id IS NULL AND NEW.ledger_id IS NOT NULL AND starts_with(NEW.nonce, 'channel:'))
  EXECUTE FUNCTION plugin_x402.x402_channel_charge();`,
  },
  {
    // A payer's calls under way, for `openUnits`: settled claims of the payer are kept for ever.
    id: '0004',
    up: `
CREATE INDEX x402_claim_payer_open ON plugin_x402.x402_claim (payer, asset, network) WHERE state IN ('claimed', 'settling');`,
  },
  {
    // The rail that sold the call, where it was not x402: 'mpp'. Claims of before are all x402's.
    id: '0005',
    up: `
ALTER TABLE plugin_x402.x402_claim ADD COLUMN rail text;
CREATE INDEX x402_claim_rail ON plugin_x402.x402_claim (rail, id) WHERE rail IS NOT NULL;`,
  },
  {
    // What was paid before its work, which failed: a new payment of the same payer for the same request
    // is not taken, but runs that work.
    id: '0006',
    up: `
CREATE INDEX x402_claim_unserved ON plugin_x402.x402_claim (payer, fingerprint) WHERE state = 'prepaid' AND NOT prepaid;`,
  },
]
