/** An upgrade changes nothing that Kubernetes forbids to change: selectors, and existing Jobs. */

import { beforeAll, describe, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { idOf, isHook, ofKind, parseManifests, podsOf, type Resource } from './manifests.ts'
import { helmTemplate, type RenderOptions } from './render.ts'
import { needRendered, rendered } from './rendered.ts'
import { toolPath } from './tools.ts'

needRendered()

const render = async (name: string, set: RenderOptions['set']): Promise<Resource[]> => {
  const values = cases[name] ?? []
  const { code, stdout, stderr } = await helmTemplate({ helm: toolPath('helm'), values, ...(set ? { set } : {}) })
  expect(code, stderr).toBe(0)
  return parseManifests(stdout)
}

const before: Record<string, Resource[]> = {}
const after: Record<string, Resource[]> = {}
const profiles = ['migrations-init-container', 'development'] as const
beforeAll(async () => {
  for (const name of profiles) {
    before[name] = rendered(name)?.resources
    after[name] = await render(name, { 'image.tag': '1.1.0', logLevel: 'warn' })
  }
})

describe.each(profiles)('with another tag (%s)', (profile) => {
  const pairs = (...kinds: string[]) => {
    const newer = new Map((after[profile] ?? []).map((resource) => [idOf(resource), resource]))
    return ofKind(before[profile] ?? [], ...kinds).map((resource) => [resource, newer.get(idOf(resource))] as const)
  }

  test('selectors stay, and so do names of Services and storage', () => {
    for (const [old, current] of pairs('Deployment', 'StatefulSet')) {
      expect(current?.spec.selector, idOf(old)).toEqual(old.spec.selector)
      expect(current?.spec.serviceName).toEqual(old.spec.serviceName)
      expect(current?.spec.volumeClaimTemplates).toEqual(old.spec.volumeClaimTemplates)
    }
    for (const [old, current] of pairs('Service', 'PodDisruptionBudget', 'NetworkPolicy'))
      expect(current?.spec, idOf(old)).toEqual(old.spec)
  })

  test('no selector contains a label that changes with the version', () => {
    for (const [{ spec }] of pairs('Deployment', 'StatefulSet'))
      expect(Object.keys(spec.selector.matchLabels)).toEqual([
        'app.kubernetes.io/name',
        'app.kubernetes.io/instance',
        'app.kubernetes.io/component',
      ])
  })

  test('a Job with a changed pod gets a new name, and any other keeps its name', () => {
    const jobs = ofKind(before[profile] ?? [], 'Job').filter((job) => !isHook(job))
    expect(jobs.length).toBeGreaterThan(0)
    const newer = new Map((after[profile] ?? []).map((resource) => [idOf(resource), resource]))
    for (const job of jobs) {
      const same = newer.get(idOf(job))
      if (same) expect(same.spec.template, idOf(job)).toEqual(job.spec.template)
    }
  })

  test('every service runs the new image', () => {
    const images = podsOf(after[profile] ?? []).flatMap(({ owner, spec }) =>
      owner.kind === 'Deployment' ? spec.containers.map(({ image }) => image) : [],
    )
    expect(images.filter((image) => !image.endsWith(':1.1.0'))).toEqual([])
  })
})

test('one more declared client makes a new Job', async () => {
  const withOne = ofKind(before['migrations-init-container'] ?? [], 'Job').map(idOf)
  const declarations = 'clients.declarations[0].name'
  const changed = await render('migrations-init-container', { [declarations]: 'Other' })
  const withAnother = new Set(ofKind(changed, 'Job').map(idOf))
  expect(withOne.filter((id) => !withAnother.has(id)).map((id) => /-(\w+)-\w+$/.exec(id)?.[1])).toEqual(['clients'])
})
