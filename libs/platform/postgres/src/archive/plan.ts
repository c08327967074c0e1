/** The description of a service's archive: the tables of its schema that are removed with a month, and their rules. */

/** A table that is partitioned by month. Its rows are removed with the partition. */
export type MonthTable = {
  table: string
  /** The columns that stay readable: a partition with rows of these columns alone takes the place of the whole rows. */
  keeps?: readonly string[]
  /** The column with the operation's id, by which the table is partitioned. */
  key: string
  /** The order of the lines in the file: the primary key. */
  order: string
  /** SQL that is true for a row that is not settled. A month with such a row stays. */
  open?: string
  /** SQL that is true for a row that may still be claimed. No later month is archived either. */
  unclaimed?: string
}

/** A table that is not partitioned. The rows of a month are copied, and deleted in batches unless the table stays. */
export type RowsTable = {
  table: string
  /** The files have the rows, and the rows stay readable in PostgreSQL too. */
  stays?: true
  /** The column with the operation's id. It needs an index. */
  key: string
  order: string
  /** Columns that are not copied. */
  omitted?: readonly string[]
}

/** The first of `months` has the open rows. */
export type ArchivePlan = {
  service: string
  months: readonly [MonthTable, ...MonthTable[]]
  rows: readonly RowsTable[]
  /** The service whose files of a month must be complete first. */
  after?: string
}
