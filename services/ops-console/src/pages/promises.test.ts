import { join } from 'node:path'
import { faultsOf, sentencesIn, textsOf } from '@financial-agents/pages/testing/promises'
import { expect, test } from 'vitest'
import texts from '../../messages/en.json' with { type: 'json' }
import promises from '../../promises.json' with { type: 'json' }

test('every sentence of the console names the tests that hold it, or none if it promises nothing', () => {
  expect(faultsOf(promises, textsOf(texts))).toEqual([])
})

test('every sentence of the console stands in the file of messages', () => {
  expect(sentencesIn(join(import.meta.dirname, '..'), '{pages,sign-in,http}/**/*.ts')).toEqual([])
})
