/**
 * Leaves room in each page of submissions for the outcome of every row. At 60 % a quarter of the outcomes found their page
 * full: the row moved to another page, with a new index entry and a lock in the log.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const fillfactor = sqlMigration(`
  UPDATE month_tables SET options = replace(options, 'fillfactor=60', 'fillfactor=45') WHERE name = 'submissions';
  DO $f$
  DECLARE
    part regclass;
  BEGIN
    FOR part IN SELECT relid FROM pg_partition_tree('submissions') WHERE isleaf LOOP
      EXECUTE format('ALTER TABLE %s SET (fillfactor = 45)', part);
    END LOOP;
  END
  $f$;
`)
