/** The adapter for a provider on the clock of the test, so that no test waits for a difference between two clocks. */

import { createHttpAdapter, type HttpAdapterOptions } from '../adapter.ts'

/** Creates the adapter with a small margin: a read shows the clock of a moment before its answer. */
export const createSameClockAdapter = (options: HttpAdapterOptions) =>
  createHttpAdapter({ ...options, clockMarginMs: 250 })
