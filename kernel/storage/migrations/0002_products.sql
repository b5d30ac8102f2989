-- Product specs with every revision, and the price tables they made. Prices are content-addressed:
-- the same table has the same version on every instance, and a version is never changed.
CREATE TABLE coinop.product (
  product_id text PRIMARY KEY,
  -- The revision that is sold; null after a removal.
  active integer,
  -- Counts every change of `active`: instances compare it, If-Match names it by the revision.
  change bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- The file that last brought this product: where it is, and the hash of what it said.
  file_origin text,
  file_name text,
  file_hash text
);
--> statement-breakpoint
CREATE TABLE coinop.product_revision (
  product_id text NOT NULL REFERENCES coinop.product,
  revision integer NOT NULL,
  source text NOT NULL CHECK (source IN ('file', 'api')),
  file_name text,
  -- As written: environment references are kept, never their values.
  body text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (product_id, revision)
);
--> statement-breakpoint
CREATE TABLE coinop.price_list (
  hash text PRIMARY KEY,
  rows jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE coinop.price_table (
  version integer PRIMARY KEY,
  hash text NOT NULL UNIQUE,
  -- Hashes of the price lists of the products in it.
  lists text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE coinop.price_period (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version integer NOT NULL REFERENCES coinop.price_table,
  effective_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX price_period_version ON coinop.price_period (version, effective_at DESC);
