-- Keys, the JWT signing key and rate limits. The money row of a key (`account`) is the ledger's.
CREATE TABLE coinop.api_key (
  id text PRIMARY KEY CHECK (id ~ '^key_[0-9a-f]{32}$'),
  name text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  -- The shown start of the newest credential: 'ck_live_AbCdEfGhIjKl'.
  prefix text NOT NULL,
  daily_spend_ceiling_credits bigint CHECK (daily_spend_ceiling_credits >= 0),
  rpm_limit integer CHECK (rpm_limit > 0),
  burst_limit integer CHECK (burst_limit > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
--> statement-breakpoint
-- Credentials of a key: one without an end, and rotated ones that still have their grace time.
CREATE TABLE coinop.api_key_secret (
  public_id text PRIMARY KEY,
  key_id text NOT NULL REFERENCES coinop.api_key (id),
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX api_key_secret_current ON coinop.api_key_secret (key_id) WHERE expires_at IS NULL;
--> statement-breakpoint
CREATE INDEX api_key_secret_key ON coinop.api_key_secret (key_id);
--> statement-breakpoint
-- The Ed25519 key of service-account JWTs; its private part is sealed under the master key.
CREATE TABLE coinop.signing_key (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  private_jwk_sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  current boolean NOT NULL DEFAULT true
);
--> statement-breakpoint
CREATE UNIQUE INDEX signing_key_current ON coinop.signing_key (current) WHERE current;
--> statement-breakpoint
-- GCRA state per subject. UNLOGGED: losing it to a crash costs one fresh burst, and it is six times
-- as fast. Times are nanoseconds since 1970.
CREATE UNLOGGED TABLE coinop.rate_limit (
  subject text PRIMARY KEY,
  -- Theoretical arrival time.
  tat_ns bigint NOT NULL DEFAULT 0,
  -- Tokens leased ahead of demand in the lease slot `slot` and in the one before it.
  slot bigint NOT NULL DEFAULT 0,
  leased integer NOT NULL DEFAULT 0,
  leased_before integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
