/** The published cases over the adapter and its bank, as its author runs them: `node --test dist/conformance.js`. */

import { after, test } from 'node:test'
import { conformanceCases } from '@financial-agents/provider-conformance/cases'
import { readConformanceCases } from '@financial-agents/provider-conformance/read-cases'
import open from './harness.ts'

const { kinds, harness, readHarness, reads = [], close } = await open()
after(close)
for (const { name, leftOut, run } of conformanceCases(kinds, harness.faults))
  void test(name, { skip: leftOut?.(harness) ?? false }, () => run(harness))
for (const { name, run } of readConformanceCases(readHarness.faults))
  if (reads.some((read) => name.startsWith(`${read}: `))) void test(name, () => run(readHarness))
