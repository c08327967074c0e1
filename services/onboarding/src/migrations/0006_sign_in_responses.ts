/**
 * The response with which a browser came back from an OpenID provider, sealed until there is a result, and the time until which one
 * caller alone asks with it. A response that is not the provider's ends a sign-in as `refused`.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const signInResponses = sqlMigration(`
ALTER TABLE sign_ins
  ADD COLUMN response_sealed bytea,
  ADD COLUMN asked_until timestamptz,
  DROP CONSTRAINT sign_ins_outcome_check,
  ADD CONSTRAINT sign_ins_outcome_check CHECK (outcome IN ('signed_in', 'declined', 'refused'));
`)
