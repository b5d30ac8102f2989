/**
 * The plugin's own tables. Codes, tokens and the ids of requests stand in them as SHA-256 alone; what
 * has an end is deleted after it.
 */
import type { Migration } from '#kernel'

export const MIGRATIONS: readonly Migration[] = [
  {
    id: '1-oauth',
    up: `
      CREATE TABLE oauth_client (
        id text PRIMARY KEY,
        -- registered: by POST /register; document: its id is the URL of its metadata.
        kind text NOT NULL CHECK (kind IN ('registered', 'document')),
        name text NOT NULL,
        redirect_uris jsonb NOT NULL,
        auth_method text NOT NULL CHECK (auth_method IN ('none', 'private_key_jwt')),
        jwks_uri text,
        jwks jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        fetched_at timestamptz,
        fresh_until timestamptz,
        first_grant_at timestamptz
      );
      CREATE INDEX oauth_client_unused ON oauth_client (created_at) WHERE first_grant_at IS NULL;
      CREATE TABLE oauth_request (
        hash text PRIMARY KEY,
        client_id text NOT NULL,
        redirect_uri text NOT NULL,
        state text,
        challenge text NOT NULL,
        scope text NOT NULL,
        -- Of the first session that opened it; no other may.
        session_hash text,
        ends_at timestamptz NOT NULL
      );
      CREATE INDEX oauth_request_end ON oauth_request (ends_at);
      -- Its id is that of the grant's key.
      CREATE TABLE oauth_grant (
        key_id text PRIMARY KEY,
        account_id text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        client_id text NOT NULL,
        client_name text NOT NULL,
        scope text NOT NULL,
        parent_key_id text,
        redirect_host text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        -- No token is given or taken from then on.
        ended_at timestamptz,
        ended_reason text,
        -- The grant's key was revoked too.
        revoked_at timestamptz
      );
      CREATE INDEX oauth_grant_open ON oauth_grant (created_at) WHERE revoked_at IS NULL;
      CREATE TABLE oauth_code (
        hash text PRIMARY KEY,
        client_id text NOT NULL,
        redirect_uri text NOT NULL,
        challenge text NOT NULL,
        grant_id text NOT NULL,
        used_at timestamptz,
        ends_at timestamptz NOT NULL
      );
      CREATE INDEX oauth_code_end ON oauth_code (ends_at);
      CREATE INDEX oauth_code_grant ON oauth_code (grant_id);
      CREATE TABLE oauth_token (
        hash text PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
        grant_id text NOT NULL,
        -- An access token and the refresh token that was given with it.
        pair uuid NOT NULL,
        scope text NOT NULL,
        ends_at timestamptz NOT NULL,
        -- Of a refresh token: no successor lives longer.
        family_ends_at timestamptz,
        rotated_at timestamptz,
        -- The pair that came of it, under the master key; kept for the grace alone.
        successor text
      );
      CREATE INDEX oauth_token_end ON oauth_token (ends_at);
      CREATE INDEX oauth_token_grant ON oauth_token (grant_id);
      CREATE INDEX oauth_token_sealed ON oauth_token (rotated_at) WHERE successor IS NOT NULL;
      CREATE TABLE oauth_assertion (
        client_id text NOT NULL,
        jti_hash text NOT NULL,
        ends_at timestamptz NOT NULL,
        PRIMARY KEY (client_id, jti_hash)
      );
      CREATE INDEX oauth_assertion_end ON oauth_assertion (ends_at);
      CREATE TABLE oauth_rate (
        subject text PRIMARY KEY,
        full_at timestamptz NOT NULL
      );
      CREATE INDEX oauth_rate_full ON oauth_rate (full_at);`,
  },
  {
    // A client is kept for as long as a grant of it is known.
    id: '2-clients-of-grants',
    up: `
      DROP INDEX oauth_client_unused;
      ALTER TABLE oauth_client DROP COLUMN first_grant_at;
      CREATE INDEX oauth_client_age ON oauth_client (created_at);
      CREATE INDEX oauth_grant_client ON oauth_grant (client_id);`,
  },
]
