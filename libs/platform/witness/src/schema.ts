/** The tables and functions of a guarded schema, for its first migration, and the rights of the service on them. */

import type { Privileges } from '@financial-agents/postgres/privileges'

export const witnessTables = `
  -- The epoch of this database: a restore, a promotion and a restart each begin a new one.
  CREATE FUNCTION database_epoch() RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT concat_ws('/', system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
      (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint)
    FROM pg_control_system()
  $f$;

  -- What this schema knows of its witness. One row, once there is a witness.
  CREATE TABLE witness (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- The last epoch that was compared with the marks.
    verified_epoch text,
    -- The id of the witness, and the sequence at which this schema saw its epoch last.
    made text NOT NULL,
    epoch_sequence bigint NOT NULL DEFAULT 0,
    -- Operations whose id is older and that are not claimed may have been sent in a lost time.
    recovery_point timestamptz
  );

  -- The number of the last marked transaction of each writer, and the sequence of its last mark in the witness.
  CREATE TABLE witness_marks (
    writer text COLLATE "C" PRIMARY KEY,
    epoch text COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    sequence bigint NOT NULL,
    marked_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);

  -- Counts a transaction. Refuses it if this database was not compared with the witness since it started, or if a later one was counted.
  CREATE FUNCTION mark(by_writer text, to_number bigint, seen_sequence bigint) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE witness_marks SET number = to_number, sequence = seen_sequence, marked_at = clock_timestamp()
      WHERE writer = by_writer AND epoch = database_epoch() AND number < to_number;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'this database is not known to be the newest' USING ERRCODE = 'FA001';
    END IF;
  END
  $f$;
`

/** Nothing is ever removed. */
export const witnessPrivileges: Privileges = { witness: ['INSERT', 'UPDATE'], witness_marks: ['INSERT', 'UPDATE'] }
