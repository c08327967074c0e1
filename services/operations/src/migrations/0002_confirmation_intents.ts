/**
 * Confirmation intents: the requests for an owner's confirmation, and the owner's decisions. The tables never hold the
 * request itself. Its hash identifies the request, and the summary holds the words that the owner read. An expired
 * intent keeps its last status.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const confirmationIntents = sqlMigration(`
  CREATE TABLE confirmation_intents (
    id uuid PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    grant_id text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    request_hash text COLLATE "C" NOT NULL,
    summary text NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'confirmed', 'declined', 'consumed')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    -- When the owner who decided had signed in.
    authenticated_at timestamptz,
    CONSTRAINT decided_by_somebody CHECK (
      (status = 'pending') = (decided_at IS NULL) AND (decided_at IS NULL) = (authenticated_at IS NULL))
  );
  CREATE INDEX confirmation_intents_by_expiry ON confirmation_intents (expires_at);
`)
