/** The guide's page lists every event and every member, and its example is an event. */

import { readFileSync } from 'node:fs'
import { ownerEvent, ownerEvents } from '@financial-agents/contract/schemas/owner-event'
import { expect, test } from 'vitest'

const guide = readFileSync(new URL('../../../../deploy/guide/owner-events.md', import.meta.url), 'utf8')

test.each(Object.entries(ownerEvents))('%s and its members are in the guide', (type, { shape }) => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.filter((row) => row.startsWith(`| \`${type}\` `))).toHaveLength(1)
  for (const member of Object.keys(shape.data.shape))
    expect(rows.filter((row) => row.split('|')[1]?.includes(`\`${member}\``))).toHaveLength(1)
})

test('the example is an event', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? []
  expect(ownerEvent.safeParse(JSON.parse(example)).error).toBeUndefined()
})
