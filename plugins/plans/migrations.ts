/** The plugin's own tables. Who has which plan, what each month cost, and plans bought with a payment. */
import type { Migration } from '#kernel'

export const migrations: readonly Migration[] = [
  {
    id: '1-subscriptions',
    up: `
      CREATE TABLE subscription (
        id uuid PRIMARY KEY,
        account_id text NOT NULL,
        -- The key that it was bought or given with.
        key_id text NOT NULL,
        plan_id text NOT NULL,
        state text NOT NULL CHECK (state IN ('active', 'past_due', 'ended')),
        -- A month costs at most this; null: the operator gave it, and it costs nothing.
        agreed_atomic bigint CHECK (agreed_atomic >= 0),
        anchor_at timestamptz NOT NULL,
        month integer NOT NULL CHECK (month >= 0),
        period_start timestamptz NOT NULL,
        period_end timestamptz NOT NULL CHECK (period_end > period_start),
        -- Credits of the running month that lapse at its end.
        lapsing_atomic bigint NOT NULL CHECK (lapsing_atomic >= 0),
        ends_at_period_end boolean NOT NULL DEFAULT false,
        -- The number of the newest turn: names its entries in the ledger.
        turn integer NOT NULL,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        ended_at timestamptz,
        ended_reason text,
        lease_until timestamptz,
        lease_token uuid,
        attempts integer NOT NULL DEFAULT 0,
        CHECK ((state = 'ended') = (ended_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX subscription_of_account ON subscription (account_id) WHERE state <> 'ended';
      CREATE INDEX subscription_due ON subscription (due_at) WHERE state <> 'ended';
      CREATE INDEX subscription_newest ON subscription (created_at, id);
      CREATE TABLE turn (
        subscription_id uuid NOT NULL,
        number integer NOT NULL,
        at timestamptz NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('started', 'renewed', 'unpaid', 'ended')),
        charged_atomic bigint NOT NULL CHECK (charged_atomic >= 0),
        granted_atomic bigint NOT NULL CHECK (granted_atomic >= 0),
        lapsed_atomic bigint NOT NULL CHECK (lapsed_atomic >= 0),
        PRIMARY KEY (subscription_id, number)
      );
      CREATE TABLE purchase (
        request_id text PRIMARY KEY,
        key_id text NOT NULL,
        plan_id text NOT NULL,
        amount_atomic bigint NOT NULL CHECK (amount_atomic > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        checked_at timestamptz,
        ended_at timestamptz,
        -- Null with an end: its credits were given, and the plan could not begin.
        subscription_id uuid
      );
      CREATE INDEX purchase_open ON purchase (created_at) WHERE ended_at IS NULL;`,
  },
  {
    // A key's id is no secret: a payer who does not show a key of the account buys one month for it, and
    // no months that the account pays itself. What was bought before goes on as it was sold.
    id: '2-purchases-that-renew',
    up: `ALTER TABLE purchase ADD COLUMN renews boolean NOT NULL DEFAULT true;`,
  },
  {
    // Why what was paid could not be credited; its end says that the operator was told.
    id: '3-refused-purchases',
    up: `ALTER TABLE purchase ADD COLUMN refused_because text;`,
  },
  {
    // Which plans in force are presents is read with each look at them.
    id: '4-presents',
    up: `CREATE INDEX purchase_present ON purchase (subscription_id) WHERE NOT renews;`,
  },
  {
    // SHA-256 of the payment as it was sent: whoever returns with it is told what became of it.
    id: '5-payments-of-purchases',
    up: `
      ALTER TABLE purchase ADD COLUMN paid_with text;
      CREATE INDEX purchase_paid_with ON purchase (paid_with) WHERE paid_with IS NOT NULL;`,
  },
]
