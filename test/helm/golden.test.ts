/**
 * The rendered output of both profiles, as files that show a reviewer every change. `npx vitest run test/helm/golden
 * --update` writes them anew. Resources are sorted by kind and name, and their keys too, so that only differences in
 * content show.
 */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { idOf } from './manifests.ts'
import { needRendered, rendered } from './rendered.ts'

needRendered()

test.each(['production', 'development'])('%s renders to its golden file', async (name) => {
  const documents = rendered(name)
    .resources.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1))
    .map((resource) => stringify(resource, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false }))
  const text = `# What helm renders of the profile ${name}: see golden.test.ts.\n---\n${documents.join('---\n')}`
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `${name}.yaml`))
})
