/** The published cases over the adapter and its bank, as its author runs them: `node --test dist/conformance.js`. */

import { after, test } from 'node:test'
import { conformanceCases } from '@financial-agents/provider-port/conformance/cases'
import { readConformanceCases } from '@financial-agents/provider-port/conformance/read-cases'
import open from './bench.ts'

const { kinds, bench, readBench, reads = [], close } = await open()
after(close)
for (const { name, leftOut, run } of conformanceCases(kinds, bench.faults))
  void test(name, { skip: leftOut?.(bench) ?? false }, () => run(bench))
for (const { name, run } of readConformanceCases(readBench.faults))
  if (reads.some((read) => name.startsWith(`${read}: `))) void test(name, () => run(readBench))
