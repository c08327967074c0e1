/**
 * Guarantees of the matrix itself, checked without a stack: nothing is left out silently, and the sample contains each
 * kind and service once.
 */

import { operationKinds } from '@financial-agents/contract/kinds'
import { expect, test } from 'vitest'
import { allRuns, apart, areaOf, kindsAt, passages, sampleOf } from './matrix.ts'
import { randomOf } from './random.ts'
import { nameOf, type Step, steps } from './steps.ts'
import { ways } from './ways.ts'

test('the steps are found in the sources of every service that decides something durable', () => {
  const services = ['onboarding', 'operations', 'submitter', 'reconciler', 'beneficiaries', 'cards', 'spending']
  expect(new Set(steps.map((step) => step.service))).toEqual(new Set(services))
  expect(steps.length).toBeGreaterThan(90)
  expect(new Set(steps.map(nameOf)).size).toBe(steps.length)
})

test.each(steps.map((step) => [nameOf(step), step] as const))(
  '%s is reached by a way, and by at least one kind',
  (_, step) => {
    expect(kindsAt(step).length).toBeGreaterThan(0)
  },
)

test('a step that no row names is refused', () => {
  expect(() => kindsAt({ service: 'cards', failpoint: 'melt.before_commit' })).toThrow('reached by no way')
})

test('every row of the rules names a step, and a way that exists', () => {
  const used = new Set(steps.map((step) => passages.find((row) => row.step.test(nameOf(step)))))
  for (const row of passages) {
    expect(used, String(row.step)).toContain(row)
    expect(ways).toHaveProperty(row.way)
  }
})

test('each kind is killed in its area and wherever every operation passes', () => {
  const passed = (kind: string, service: string) =>
    apart(allRuns()).filter((run) => run.kinds[0] === kind && run.step.service === service).length
  for (const kind of operationKinds)
    for (const service of [areaOf(kind), 'operations', 'submitter', 'reconciler'])
      expect(passed(kind, service), `${kind} in ${service}`).toBeGreaterThan(9)
})

test.each([1, 2, 20_261_120])(
  'the sample of seed %i has each kind and each service with steps, and is the same again',
  (seed) => {
    const sample = sampleOf(randomOf(seed))
    expect(new Set(sample.flatMap((run) => run.kinds))).toEqual(new Set(operationKinds))
    expect(new Set(sample.map((run) => run.step.service))).toEqual(new Set(steps.map((step: Step) => step.service)))
    expect(sampleOf(randomOf(seed))).toEqual(sample)
  },
)
