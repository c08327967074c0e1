/**
 * Bindings, and the changes of them to announce. A binding that was disconnected never comes back: connecting again
 * makes a new one. Fences on bindings are therefore only ever set, and a late fence request does no harm.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
CREATE TABLE bindings (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  provider text NOT NULL,
  display_name text,
  status text NOT NULL CHECK (status IN ('connected', 'disconnecting', 'disconnected')),
  credentials_sealed bytea,
  connected_at timestamptz NOT NULL,
  disconnected_at timestamptz,
  updated_at timestamptz NOT NULL,
  CHECK (credentials_sealed IS NOT NULL OR status = 'disconnected')
);
CREATE UNIQUE INDEX bindings_one_connected ON bindings (owner_id) WHERE status = 'connected';
CREATE INDEX bindings_of_owner ON bindings (owner_id, connected_at DESC);

CREATE TABLE announcements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id uuid NOT NULL,
  binding_id uuid NOT NULL REFERENCES bindings (id),
  fence boolean NOT NULL,
  fenced_at timestamptz,
  announced_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX announcements_to_announce ON announcements (id) WHERE announced_at IS NULL;
CREATE INDEX announcements_to_fence ON announcements (id) WHERE fence AND fenced_at IS NULL;
`)
