/** A violated invariant: the simulator's finding. Invariants are named as in the write protocol, I1 to I11. */

export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'answers'
  | 'process'

export class Violation extends Error {
  override readonly name = 'Violation'
  readonly invariant: Invariant
  constructor(invariant: Invariant, message: string) {
    super(message)
    this.invariant = invariant
  }
}
