import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalJson, requestHash } from './canonical-request.ts'

// RFC 8785, section 3.2.2 and 3.2.3.
test('the examples of RFC 8785 have the canonical form that the RFC prints', () => {
  const numbers = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  )
  expect(canonicalJson(numbers)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const keys = JSON.parse(
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
  )
  expect(Object.values(JSON.parse(canonicalJson(keys)))).toHaveLength(7)
  expect(canonicalJson(keys).match(/Carriage|One|Control|Latin|Euro|Emoji|Hebrew/g)).toEqual([
    'Carriage',
    'One',
    'Control',
    'Latin',
    'Euro',
    'Emoji',
    'Hebrew',
  ])
})

test('the order of members does not matter; a value, the path and the method do', () => {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const hash = (method: string, path: string, body: unknown) => requestHash(key, { method, path, body })
  const base = hash('POST', '/v1/beneficiaries', { a: 1, b: [1, 2] })
  expect(hash('POST', '/v1/beneficiaries', { b: [1, 2], a: 1 })).toBe(base)
  expect(hash('POST', '/v1/beneficiaries', { b: [2, 1], a: 1 })).not.toBe(base)
  expect(hash('POST', '/v1/mandates', { a: 1, b: [1, 2] })).not.toBe(base)
  expect(hash('DELETE', '/v1/beneficiaries', { a: 1, b: [1, 2] })).not.toBe(base)
  expect(hash('POST', '/v1/beneficiaries', undefined)).not.toBe(hash('POST', '/v1/beneficiaries', null))
})
