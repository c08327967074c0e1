/**
 * The machine's table as SQL. A later change of the machine takes a new migration that runs `seedLegalTransitions` again:
 * rows are only ever added, because history refers to them.
 */

import { transitions } from '@financial-agents/operation-machine/machine'

/** What stands for the machine's `null`: a foreign key is not checked where a column is null. */
export const newState = 'new'

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

export const seedLegalTransitions = `
  INSERT INTO legal_transitions (from_state, event, to_state, moved_by) VALUES
    ${transitions.map((row) => `(${[row.from ?? newState, row.event, row.to, row.by].map(quote).join(', ')})`).join(',\n    ')}
  ON CONFLICT DO NOTHING;
`
