/**
 * Transfers, the resource of operations that pay. They hold the payment's data for as long as the operation exists. The
 * second table holds the reservations of each owner and client for a UTC day, against the ceilings of any grant that
 * the client holds that day.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const transfers = sqlMigration(`
  CREATE TABLE transfers (
    -- The resource of the operation.
    id uuid PRIMARY KEY,
    operation_id uuid NOT NULL UNIQUE,
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    mandate_id uuid,
    beneficiary_id uuid NOT NULL,
    amount numeric NOT NULL CHECK (amount > 0),
    currency text COLLATE "C" NOT NULL,
    rule text,
    -- A person may be named in it. Sealed in the context of the id.
    reference_sealed bytea,
    -- The UTC day in which it was reserved: a release goes there, whenever it comes.
    day date NOT NULL,
    released_at timestamptz,
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
  CREATE INDEX transfers_newest ON transfers (owner_id, client_id, created_at, id);

  CREATE TABLE ceiling_days (
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    day date NOT NULL,
    -- The sum of the transfers of this owner, client, currency and day that are not released.
    reserved numeric NOT NULL CHECK (reserved >= 0),
    PRIMARY KEY (owner_id, client_id, currency, day)
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
`)
