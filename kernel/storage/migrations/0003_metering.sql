-- Answers kept for Idempotency-Key and payment-identifier (kernel/metering/idempotency.ts).
CREATE TABLE idempotency (
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  rail text NOT NULL,
  hold_id text NOT NULL,
  deadline timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  settled boolean NOT NULL DEFAULT false,
  status integer,
  headers jsonb,
  body bytea,
  charged bigint,
  ledger_id text,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);
