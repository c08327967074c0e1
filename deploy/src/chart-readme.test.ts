/** The chart's README, generated from its values. */

import { describe, expect, test } from 'vitest'
import { valueSections } from './chart-readme.ts'

const values = `# About the file.

## First

# What a is.
a: 1
# A map
# in two lines.
b:
  # Below it.
  c: { }
  d: [x, y]

## Second

e:
  f: ""
`

describe('values of the chart', () => {
  test('every value has a row in its section, with its default and what the comment above says', () => {
    expect(valueSections(values)).toEqual([
      {
        title: 'First',
        rows: [
          { path: 'a', meaning: 'What a is.', byDefault: '1' },
          { path: 'b', meaning: 'A map in two lines.', byDefault: null },
          { path: 'b.c', meaning: 'Below it.', byDefault: '{}' },
          { path: 'b.d', meaning: '', byDefault: '["x","y"]' },
        ],
      },
      { title: 'Second', rows: [{ path: 'e.f', meaning: '', byDefault: '""' }] },
    ])
  })

  test('a value outside of all sections is refused', () => {
    expect(() => valueSections('a: 1')).toThrow('a comes before the first section')
  })
})
