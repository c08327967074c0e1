/**
 * Partitions submissions by the month in which the operation's id was minted, as operations does with its tables. The
 * table so far becomes the default partition. The command `migrate` then begins the months.
 *
 * Invariant: an insert never fails because a month is missing. Every id that no month takes goes to the default partition.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const months = sqlMigration(`
  -- The tables that are partitioned by month, each with the storage options of its partitions. began is the end of the
  -- partition before the months, and null until they have begun. until is the end of the last month that has a partition.
  CREATE TABLE month_tables (
    name text COLLATE "C" PRIMARY KEY,
    key text COLLATE "C" NOT NULL,
    options text NOT NULL,
    -- While the rows so far are compared with it. The table then refuses ids from this time on.
    planned timestamptz,
    began timestamptz,
    until timestamptz,
    CHECK ((began IS NULL) = (until IS NULL))
  );

  -- Ids that were minted before it are never accepted and never submitted: their records may be in the archive alone.
  CREATE TABLE archive_horizon (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    before timestamptz NOT NULL
  );

  CREATE TABLE archived_months (
    month text COLLATE "C" PRIMARY KEY,
    -- Null for the partition before the months.
    from_id uuid,
    until_id uuid NOT NULL,
    stage text COLLATE "C" NOT NULL CHECK (stage IN ('detached', 'written', 'removed')),
    -- The manifest of the files; null until they are written and verified.
    manifest json,
    changed_at timestamptz NOT NULL,
    CHECK ((stage = 'detached') = (manifest IS NULL))
  );

  -- The least id of a time.
  CREATE FUNCTION id_from(at timestamptz) RETURNS uuid LANGUAGE sql STABLE STRICT AS $f$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  $f$;

  -- Makes an empty table like a partitioned one, with its storage options and its triggers on statements; PostgreSQL adds
  -- the triggers on rows. The service reads it like any other table, and writes to it through the partitioned table alone.
  CREATE FUNCTION make_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE
    storage text := (SELECT CASE WHEN options <> '' THEN format('WITH (%s)', options) END FROM month_tables WHERE name = parent);
    definition text;
  BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) %s', partition, parent, storage);
    FOR definition IN SELECT pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgrelid = parent::regclass AND NOT tgisinternal AND tgtype & 1 = 0 LOOP
      EXECUTE replace(definition, format(' ON %I.%I ', current_schema(), parent), format(' ON %I.%I ', current_schema(), partition));
    END LOOP;
    IF current_user <> current_schema() AND EXISTS (SELECT FROM pg_roles WHERE rolname = current_schema()) THEN
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I FROM %I', partition, current_schema());
    END IF;
  END
  $f$;

  -- Moves rows of ids between two partitions, as their owner alone can.
  CREATE FUNCTION move_rows(source text, target text, key text, from_id uuid, until_id uuid) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE
    columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = source::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
  BEGIN
    EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', source);
    EXECUTE format('WITH gone AS (DELETE FROM %I WHERE %I >= %L AND (%L::uuid IS NULL OR %I < %L) RETURNING %s) INSERT INTO %I (%s) SELECT %s FROM gone',
      source, key, from_id, until_id, key, until_id, columns, target, columns, columns);
    EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', source);
  END
  $f$;

  -- Makes the partitions of this month and of the next two, and answers with the number that was made. The service calls
  -- it with the rights of the owner: it takes no argument, and can do nothing else. Rows that wait in the default partition
  -- for a new month are moved into it.
  CREATE FUNCTION make_months() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '2s' SET timezone = 'UTC' AS $f$
  DECLARE
    final constant timestamptz := date_trunc('month', now()) + interval '3 months';
    each record;
    month timestamptz;
    partition text;
    made integer := 0;
  BEGIN
    -- An interrupted migration left a bound in the table. Long before the bound is reached, it goes.
    FOR each IN SELECT name FROM month_tables WHERE planned < now() + interval '14 days' FOR UPDATE SKIP LOCKED LOOP
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_months', each.name || '_before_months');
      UPDATE month_tables SET planned = NULL WHERE name = each.name;
    END LOOP;
    FOR each IN SELECT name, key, until FROM month_tables WHERE until < final ORDER BY name FOR UPDATE SKIP LOCKED LOOP
      month := each.until;
      WHILE month < final LOOP
        partition := each.name || to_char(month, '_YYYY_MM');
        PERFORM make_partition(each.name, partition);
        EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', each.name);
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', each.name || '_rest');
        PERFORM move_rows(each.name || '_rest', partition, each.key, id_from(month), id_from(month + interval '1 month'));
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', each.name, partition,
          id_from(month), id_from(month + interval '1 month'));
        month := month + interval '1 month';
        made := made + 1;
      END LOOP;
      UPDATE month_tables SET until = month WHERE name = each.name;
    END LOOP;
    RETURN made;
  END
  $f$;

  -- The number of rows that no month has taken; more than 10,000 are not counted.
  CREATE FUNCTION rows_outside_months() RETURNS integer LANGUAGE plpgsql STABLE AS $f$
  DECLARE
    each record;
    found integer;
    total integer := 0;
  BEGIN
    FOR each IN SELECT name FROM month_tables WHERE began IS NOT NULL LOOP
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT 10000) few', each.name || '_rest') INTO found;
      total := total + found;
    END LOOP;
    RETURN total;
  END
  $f$;

  DO $do$
  DECLARE
    part record;
    view record;
    each text;
    definitions text[];
    views text[] := '{}';
  BEGIN
    EXECUTE format('ALTER FUNCTION make_months() SET search_path = %I, pg_temp', current_schema());
    FOR view IN SELECT DISTINCT v.relname AS name, pg_get_viewdef(v.oid) AS query
      FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
      WHERE v.relkind = 'v' AND v.relnamespace = current_schema()::regnamespace
        AND d.refobjid IN (SELECT name::regclass FROM (VALUES ('submissions', 'operation_id')) AS given (name, key)) LOOP
      views := views || format('CREATE VIEW %I AS %s', view.name, view.query);
      EXECUTE format('DROP VIEW %I', view.name);
    END LOOP;
    FOR part IN SELECT * FROM (VALUES ('submissions', 'operation_id')) AS given (name, key) LOOP
      INSERT INTO month_tables (name, key, options)
      SELECT part.name, part.key, coalesce(array_to_string(reloptions, ', '), '') FROM pg_class WHERE oid = part.name::regclass;
      -- The constraints, indexes and triggers of the table, under their names. The partitioned table gets all of them.
      SELECT array_agg(definition ORDER BY rank, definition) INTO definitions FROM (
        SELECT CASE contype WHEN 'p' THEN 1 ELSE 2 END AS rank,
          format('ALTER TABLE %I ADD CONSTRAINT %I %s', part.name, conname, pg_get_constraintdef(oid)) AS definition
        FROM pg_constraint WHERE conrelid = part.name::regclass AND contype IN ('p', 'u', 'f')
        UNION ALL
        SELECT 3, pg_get_indexdef(i.indexrelid) FROM pg_index i WHERE i.indrelid = part.name::regclass
          AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
        UNION ALL
        SELECT 4, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = part.name::regclass AND NOT tgisinternal
        UNION ALL
        SELECT 0, format('ALTER TABLE %I DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', part.name, conname, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE conrelid = part.name::regclass AND contype = 'c' AND NOT convalidated
      ) AS given;
      -- The partitioned table gives its triggers on rows to each partition.
      FOR each IN SELECT tgname FROM pg_trigger WHERE tgrelid = part.name::regclass AND NOT tgisinternal AND tgtype & 1 = 1 LOOP
        EXECUTE format('DROP TRIGGER %I ON %I', each, part.name);
      END LOOP;
      FOR each IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = part.name::regclass LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', each, each || '_before_months');
      END LOOP;
      EXECUTE format('ALTER TABLE %I RENAME TO %I', part.name, part.name || '_before_months');
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)',
        part.name, part.name || '_before_months', part.key);
      FOREACH each IN ARRAY definitions LOOP
        EXECUTE each;
      END LOOP;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', part.name, part.name || '_before_months');
    END LOOP;
    FOREACH each IN ARRAY views LOOP
      EXECUTE each;
    END LOOP;
  END
  $do$;
`)
