/** Stands in tables for the machine's `null`, the state before an operation exists: PostgreSQL checks no foreign key where a column is null. */
export const newState = 'new'
