/** Losses that were found, as every service hears of them: one entry a schema, until it is recovered. */

import type { Bus } from '@financial-agents/bus/connect'
import { Conflict, type Registers } from '@financial-agents/bus/registers'
import type { Refusal } from './join.ts'
import { type GuardedSchema, guardedSchemas, type LossEntry, lossOf } from './subjects.ts'

export type Loss = {
  schema: GuardedSchema
  since: Date
  from: Date | null
  to: Date | null
  /** The number of transactions that the database lacks. */
  transactions: number
}

type Options = { registers: Registers; schema: GuardedSchema; now: () => Date }

/** The losses that are not recovered, as one replica sees them and reports its own. */
export function createLosses({ registers, schema, now }: Options) {
  let reported = false
  return {
    find: async () => {
      const losses = await findLosses(registers)
      return {
        own: losses.find((loss) => loss.schema === schema),
        elsewhere: losses.find((loss) => loss.schema !== schema),
      }
    },
    /** Reports a loss of this replica's database, once: another replica, whose database has lost nothing, takes it back. */
    report: async (loss: Extract<Refusal, { reason: 'loss' }>) => {
      if (!reported) await reportLoss(registers, schema, loss, now())
      reported = true
    },
    /** This replica's database has lost nothing. */
    takeBack: async () => {
      reported = false
      await clearLoss(registers, schema)
    },
  }
}

/** The losses that are not recovered. */
export async function findLosses(registers: Registers): Promise<Loss[]> {
  const entries = await Promise.all(
    guardedSchemas.map(async (schema) => toLoss(schema, (await registers.read<LossEntry>(lossOf(schema)))?.value)),
  )
  return entries.flatMap((loss) => loss ?? [])
}

/** What was reported first stays. */
async function reportLoss(
  registers: Registers,
  schema: GuardedSchema,
  { from, to, transactions }: Extract<Refusal, { reason: 'loss' }>,
  since: Date,
): Promise<void> {
  const found = await registers.read<LossEntry>(lossOf(schema))
  if (found?.value) return
  const entry: LossEntry = {
    since: since.toISOString(),
    from: from?.toISOString() ?? null,
    to: to.toISOString(),
    transactions,
  }
  await registers.write(lossOf(schema), entry, found?.sequence ?? 0).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error
  })
}

/** Takes a loss back, because it is recovered. */
export async function clearLoss(registers: Registers, schema: GuardedSchema): Promise<void> {
  const found = await registers.read<LossEntry>(lossOf(schema))
  if (found?.value) await registers.write(lossOf(schema), null satisfies LossEntry, found.sequence)
}

/** Calls `listener` for each loss that is reported from now on, and with null when one is recovered. */
export function watchLosses(
  bus: Pick<Bus, 'hear'>,
  listener: (schema: GuardedSchema, loss: Loss | null) => void,
): void {
  bus.hear('witness.*.loss', (data, subject) => {
    const schema = subject.split('.')[1] as GuardedSchema
    listener(schema, toLoss(schema, JSON.parse(Buffer.from(data).toString('utf8')) as LossEntry) ?? null)
  })
}

function toLoss(schema: GuardedSchema, entry: LossEntry | undefined): Loss | undefined {
  if (!entry) return undefined
  const timeOf = (text: string | null) => (text === null ? null : new Date(text))
  const { since, from, to, transactions } = entry
  return { schema, since: new Date(since), from: timeOf(from), to: timeOf(to), transactions }
}
