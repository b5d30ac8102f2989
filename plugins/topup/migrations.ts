/** The plugin's own tables: checkouts that were begun, what was flagged, purchases, reversals. */
import type { Migration } from '#kernel'

export const migrations: readonly Migration[] = [
  {
    id: '1-topups',
    // With NULLS NOT DISTINCT, which PostgreSQL 14 does not know: 14-flagged-once has it in other words.
    earlierChecksums: ['a8b275ae2eaa5e308d35adcbc120fc2d2387a504e67d53d74d28191f8c3b51cb'],
    up: `
      CREATE TABLE intent (
        reference text PRIMARY KEY,
        provider text NOT NULL,
        key_id text NOT NULL,
        currency text NOT NULL,
        amount_minor bigint NOT NULL CHECK (amount_minor > 0),
        amount_atomic bigint NOT NULL CHECK (amount_atomic > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        credited_at timestamptz,
        charge_id text,
        checked_at timestamptz,
        UNIQUE (provider, charge_id)
      );
      CREATE INDEX intent_open ON intent (created_at) WHERE credited_at IS NULL;
      CREATE TABLE flagged (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        provider text NOT NULL,
        reference text,
        reason text NOT NULL,
        detail text NOT NULL
      );
      CREATE UNIQUE INDEX flagged_once ON flagged (provider, reference, reason);
      CREATE TABLE purchase (
        request_id text PRIMARY KEY,
        key_id text NOT NULL,
        amount_atomic bigint NOT NULL CHECK (amount_atomic > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        credited_at timestamptz
      );
      CREATE INDEX purchase_open ON purchase (created_at) WHERE credited_at IS NULL;`,
  },
  {
    id: '2-purchased-keys',
    up: `
      ALTER TABLE purchase ALTER key_id DROP NOT NULL;
      ALTER TABLE purchase ADD sealed_key text;
      ALTER TABLE purchase ADD retry_hash text;
      ALTER TABLE purchase ADD checked_at timestamptz;
      CREATE INDEX purchase_sealed ON purchase (credited_at) WHERE sealed_key IS NOT NULL;`,
  },
  {
    id: '3-reversals',
    // With NULLS NOT DISTINCT, which PostgreSQL 14 does not know: 14-flagged-once has it in other words.
    earlierChecksums: ['370487a5553a4e6eba862041fa4a80d0f8e89a0c93d3dbb8909d48f1abae2e97'],
    up: `
      CREATE TABLE reversal (
        provider text NOT NULL,
        kind text NOT NULL,
        id text NOT NULL,
        reference text NOT NULL,
        amount_atomic bigint NOT NULL CHECK (amount_atomic >= 0),
        taken_atomic bigint NOT NULL CHECK (taken_atomic BETWEEN 0 AND amount_atomic),
        state text NOT NULL CHECK (state IN ('taken', 'returned')),
        at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (provider, kind, id)
      );
      CREATE INDEX reversal_reference ON reversal (reference);
      ALTER TABLE flagged ADD event_id text;
      ALTER TABLE flagged ADD owed_atomic bigint;
      DROP INDEX flagged_once;
      CREATE UNIQUE INDEX flagged_once ON flagged (provider, reference, reason, event_id);`,
  },
  {
    id: '4-purchases-of-accounts',
    up: `
      ALTER TABLE purchase ADD owner text;
      ALTER TABLE purchase ADD account_id uuid;
      ALTER TABLE purchase ADD CHECK (num_nonnulls(key_id, owner, account_id) <= 1);`,
  },
  {
    id: '5-checkouts-of-a-key',
    up: `CREATE INDEX intent_key ON intent (key_id, created_at);`,
  },
  {
    id: '6-refunds-of-disputes',
    up: `
      -- The dispute that a refund settles; null: none, or it is not known.
      ALTER TABLE reversal ADD dispute_id text;
      CREATE INDEX reversal_dispute ON reversal (provider, dispute_id) WHERE dispute_id IS NOT NULL;`,
  },
  {
    id: '7-owed-returns',
    up: `
      -- When giving back what it took is tried again; null: nothing is owed.
      ALTER TABLE reversal ADD return_due_at timestamptz;
      CREATE INDEX reversal_owed ON reversal (return_due_at) WHERE return_due_at IS NOT NULL;`,
  },
  {
    id: '8-displaced-reversals',
    up: `
      -- What it would claim of its top-up if no other had claimed it before; null: amount_atomic.
      ALTER TABLE reversal ADD wanted_atomic bigint;`,
  },
  {
    id: '9-payments-of-purchases',
    up: `
      -- SHA-256 of the payment as it was sent: whoever returns with it is told what became of it.
      ALTER TABLE purchase ADD paid_with text;
      CREATE INDEX purchase_paid_with ON purchase (paid_with) WHERE paid_with IS NOT NULL;`,
  },
  {
    id: '10-credits-on-hold',
    up: `
      -- What calls held of the amount when it was to be taken, and what of that was taken since.
      ALTER TABLE reversal ADD held_atomic bigint NOT NULL DEFAULT 0;
      ALTER TABLE reversal ADD held_taken_atomic bigint NOT NULL DEFAULT 0;
      -- What may still come back, of which holds, and when they are looked at next; null: nothing.
      ALTER TABLE reversal ADD rest_atomic bigint NOT NULL DEFAULT 0;
      ALTER TABLE reversal ADD rest_holds uuid[] NOT NULL DEFAULT '{}';
      ALTER TABLE reversal ADD rest_due_at timestamptz;
      ALTER TABLE reversal ADD CONSTRAINT reversal_rest_check CHECK (
        rest_atomic BETWEEN 0 AND amount_atomic - taken_atomic
        AND (rest_due_at IS NULL) = (rest_atomic = 0));
      CREATE INDEX reversal_rest ON reversal (rest_due_at) WHERE rest_due_at IS NOT NULL;`,
  },
  {
    id: '11-purchases-given-by-hand',
    up: `
      -- An operator gave its credits, because whoever it named could not have them.
      ALTER TABLE purchase ADD is_given_by_hand boolean NOT NULL DEFAULT false;`,
  },
  {
    id: '12-cancelled-checkouts',
    up: `
      -- When the buyer came back without having paid, by the provider's word; paid later, it counts as paid.
      ALTER TABLE intent ADD cancelled_at timestamptz;`,
  },
  {
    id: '13-credits-of-ended-holds',
    up: `
      -- What reversals have taken of the credits that a hold gave back at its end.
      CREATE TABLE ended_hold (
        id uuid PRIMARY KEY,
        taken_atomic bigint NOT NULL DEFAULT 0 CHECK (taken_atomic >= 0));`,
  },
  {
    id: '14-flagged-once',
    up: `
      DROP INDEX flagged_once;
      CREATE UNIQUE INDEX flagged_once ON flagged (provider, reason,
        coalesce(reference, ''), (reference IS NULL), coalesce(event_id, ''), (event_id IS NULL));`,
  },
]
