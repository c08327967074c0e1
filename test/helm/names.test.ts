/** Names fit Kubernetes' limits even with long parts, and no two releases conflict. */

import { describe, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { idOf, ofKind, parseManifests, podsOf, type Resource, type Selector, selects } from './manifests.ts'
import { helmTemplate } from './render.ts'
import { allRendered, bothProfiles, expectNone, needRendered, rendered } from './rendered.ts'
import { toolPath } from './tools.ts'

needRendered()

const longestRelease = 'r'.repeat(53)

async function renderAs(release: string, name = 'production'): Promise<Resource[]> {
  const { code, stdout, stderr } = await helmTemplate({ helm: toolPath('helm'), values: cases[name] ?? [], release })
  expect(code, stderr).toBe(0)
  return parseManifests(stdout)
}

function tooLong(resources: readonly Resource[]): string[] {
  const label = /^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/
  const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
  return resources.flatMap((resource) => {
    const { name, labels = {} } = resource.metadata
    const templates = podsOf([resource]).flatMap(({ metadata, spec }) => [
      ...Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`),
      ...[...spec.containers, ...(spec.initContainers ?? [])].map((container) => `container=${container.name}`),
    ])
    const all = [...Object.entries(labels).map(([key, value]) => `${key}=${value}`), ...templates]
    return [
      ...(dnsLabel.test(name) ? [] : [idOf(resource)]),
      ...all
        .filter((pair) => !label.test(pair.slice(pair.indexOf('=') + 1)))
        .map((pair) => `${idOf(resource)}: ${pair}`),
    ]
  })
}

describe('names', () => {
  test('and labels are short enough with the longest name of a release', async () => {
    expectNone(tooLong(await renderAs(longestRelease)))
    expectNone(tooLong(await renderAs(longestRelease, 'development')))
  })

  test('and labels are short enough with long names of one’s own', () => {
    expectNone(allRendered().flatMap(({ resources }) => tooLong(resources)))
  })

  test('of one kind are unique', () => {
    for (const { name, resources } of allRendered()) {
      const ids = resources.map(idOf)
      expect(new Set(ids).size, name).toBe(ids.length)
    }
  })
})

describe('two releases in one namespace', () => {
  test('create no resource with the same name, and select none of each other’s pods', async () => {
    const first = rendered('production').resources
    const second = await renderAs('fb')
    const ids = new Set(first.map(idOf))
    expect(second.map(idOf).filter((id) => ids.has(id))).toEqual([])
    expectNone(
      second.flatMap(({ kind, metadata, spec }) => {
        const selector = (spec?.podSelector ?? spec?.selector) as (Selector & Record<string, string>) | undefined
        if (!selector) return []
        const asSelector = kind === 'Service' ? { matchLabels: selector as Record<string, string> } : selector
        const foreign = podsOf(first).filter((pod) => selects(asSelector, pod.metadata.labels))
        return foreign.map(({ of }) => `${kind}/${metadata.name} chooses ${of}`)
      }),
    )
  })

  test('admit none of each other’s pods by a policy', async () => {
    const policies = ofKind(await renderAs('fb', 'network'), 'NetworkPolicy')
    const pods = podsOf(rendered('network').resources)
    const peers = policies.flatMap(({ spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ from = [], to = [] }) => [...from, ...to]),
    ) as { podSelector?: Selector }[]
    const chosen = peers.flatMap(({ podSelector }) =>
      podSelector ? pods.filter((pod) => selects(podSelector, pod.metadata.labels)).map(({ of }) => of) : [],
    )
    expect(chosen).toEqual([])
  })
})

test('nothing names a namespace of its own', () => {
  for (const { resources } of bothProfiles())
    expect(new Set(resources.map(({ metadata }) => metadata.namespace)).size).toBe(1)
})
