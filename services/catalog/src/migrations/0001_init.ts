/**
 * Our ids for the provider's records, and the contents of purchase quotes. The recipient of a purchase is not stored.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`

CREATE TABLE service_ids (
  -- 'public' for what everybody sees.
  owner_id text COLLATE "C" NOT NULL,
  -- The provider's own; in no answer, cursor or log.
  reference text COLLATE "C" NOT NULL,
  id uuid NOT NULL UNIQUE,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, reference)
);

CREATE TABLE purchase_ids (
  -- 'public' for what everybody sees.
  owner_id text COLLATE "C" NOT NULL,
  -- The provider's own; in no answer, cursor or log.
  reference text COLLATE "C" NOT NULL,
  id uuid NOT NULL UNIQUE,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, reference)
);

CREATE TABLE quote_ids (
  -- 'public' for what everybody sees.
  owner_id text COLLATE "C" NOT NULL,
  -- The provider's own; in no answer, cursor or log.
  reference text COLLATE "C" NOT NULL,
  id uuid NOT NULL UNIQUE,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, reference)
);

CREATE TABLE purchase_quotes (
  id uuid PRIMARY KEY,
  owner_id text NOT NULL,
  client_id text NOT NULL,
  service_id uuid NOT NULL,
  product_id text NOT NULL,
  quantity integer NOT NULL,
  amount text NOT NULL,
  currency text NOT NULL,
  provider_reference text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX purchase_quotes_by_reference ON purchase_quotes (owner_id, provider_reference);
CREATE INDEX purchase_quotes_by_expiry ON purchase_quotes (expires_at);
`)
