/** The witness of the submitter's schema. */

import { type EpochEntry, epochOf } from '@financial-agents/witness/subjects'
import { uuidFrom } from '../virtual/random.ts'
import type { VirtualRegisters } from '../virtual/registers.ts'
import { type Store, Transaction } from '../virtual/tables.ts'

/** Makes the witness as the provisioning job did before the seed began. */
export function beginWitness(store: Store, registers: VirtualRegisters): void {
  const made = uuidFrom(Math.random)
  const tx = new Transaction(store)
  const row = { singleton: true, verified_epoch: null, made, epoch_sequence: 0, recovery_point: null }
  tx.insert('witness', row).next()
  tx.commit()
  registers.put(epochOf('submitter'), { made, epoch: store.epoch, writers: [], before: [] } satisfies EpochEntry, 0)
}
