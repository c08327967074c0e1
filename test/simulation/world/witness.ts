/** The witnesses of the guarded schemas. */

import { type EpochEntry, epochOf, type GuardedSchema } from '@financial-agents/witness/subjects'
import { uuidFrom } from '../virtual/random.ts'
import type { VirtualRegisters } from '../virtual/registers.ts'
import { type Store, Transaction } from '../virtual/tables.ts'

/** Makes the witness of a schema as the provisioning job did before the seed began. */
export function beginWitness(schema: GuardedSchema, store: Store, registers: VirtualRegisters): void {
  const made = uuidFrom(Math.random)
  const tx = new Transaction(store)
  const row = { singleton: true, verified_epoch: store.epoch, made, epoch_sequence: 0, recovery_point: null }
  tx.insert('witness', row).next()
  tx.commit()
  registers.put(epochOf(schema), { made, epoch: store.epoch, writers: [], before: [] } satisfies EpochEntry, 0)
}
