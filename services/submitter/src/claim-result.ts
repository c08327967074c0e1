/** The result of a claim. */
export type ClaimResult =
  /** This attempt owns the row and may call the provider once. */
  | 'won'
  /** This attempt owns the row, but the witness does not have its mark: nothing may be sent. */
  | 'unwitnessed'
  /** This attempt wrote the row, and nothing may be sent. */
  | 'decided'
  /** No row was written: one existed already, or the item could not be sent. */
  | 'none'
  | 'unclear'
