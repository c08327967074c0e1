/** Stands in for `@financial-agents/bus/connect`: the virtual broker instead of NATS. */

import type { Bus, BusOptions } from '@financial-agents/bus/connect'
import { getOpener } from '../virtual/current.ts'

export async function connectBus({ name }: BusOptions): Promise<Bus> {
  return getOpener().bus(name)
}
