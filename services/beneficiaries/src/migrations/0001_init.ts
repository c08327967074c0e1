/** Beneficiaries from their draft on, never their details; and the writes that make them. */

import { sqlMigration } from '@financial-agents/postgres/migrate'
import { writesTables } from '@financial-agents/writes/tables'

export const init = sqlMigration(`
${writesTables}
CREATE TABLE beneficiaries (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL UNIQUE,
  owner_id text NOT NULL,
  name text NOT NULL,
  nickname text,
  country text NOT NULL,
  currency text NOT NULL,
  payout_schema_id text NOT NULL,
  is_external boolean NOT NULL,
  purpose_code text,
  masked_details jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'active', 'failed', 'void')),
  -- The provider's own, once it is known.
  upstream_reference text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX beneficiaries_of_owner ON beneficiaries (owner_id, created_at DESC, id DESC);
`)
