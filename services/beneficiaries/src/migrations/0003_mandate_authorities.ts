/**
 * The grants that may pay under mandates. A row is written once and never changed. Authority ends with its grant, and
 * only a new row renews it.
 *
 * For an existing mandate, the grant that created it keeps its authority if the mandate names its client. The grants of
 * the other clients at the time of the confirmation are unknown, so they have no authority until the owner gives it.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const mandateAuthorities = sqlMigration(`
CREATE TABLE mandate_authorities (
  mandate_id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  -- With the mandate itself, or later on the consent page.
  how text NOT NULL CHECK (how IN ('confirmed', 'consented')),
  given_at timestamptz NOT NULL,
  PRIMARY KEY (mandate_id, client_id, grant_id)
);

CREATE FUNCTION refuse_change_of_authority() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'authority under a mandate is never changed';
END $$;
CREATE TRIGGER authority_is_never_changed BEFORE UPDATE ON mandate_authorities
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_authority();

INSERT INTO mandate_authorities (mandate_id, client_id, grant_id, how, given_at)
SELECT id, client_id, grant_id, 'confirmed', created_at FROM mandates WHERE client_id = ANY (authorized_clients);
`)
