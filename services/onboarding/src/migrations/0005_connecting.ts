/**
 * A sign-in no longer connects. It keeps its credentials, sealed, until its owner connects or it expires. `binding_id`
 * of `sign_ins` is no longer written.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const connecting = sqlMigration(`
ALTER TABLE sign_ins
  ADD COLUMN credentials_sealed bytea,
  DROP CONSTRAINT sign_ins_check1,
  ADD CONSTRAINT signed_in_is_somebody
    CHECK ((outcome IS NOT DISTINCT FROM 'signed_in') = (num_nonnulls(owner_id, locale, timezone) = 3)),
  ADD CONSTRAINT credentials_of_a_signed_in
    CHECK (credentials_sealed IS NULL OR outcome IS NOT DISTINCT FROM 'signed_in');
CREATE INDEX sign_ins_to_connect ON sign_ins (owner_id) WHERE credentials_sealed IS NOT NULL;
`)
