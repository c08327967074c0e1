/**
 * Stands in tables for the machine's `null`, the state before an operation exists. PostgreSQL checks no foreign key on
 * a null column.
 */
export const newState = 'new'
