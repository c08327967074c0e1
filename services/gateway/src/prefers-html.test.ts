import { expect, test } from 'vitest'
import { prefersHtml } from './prefers-html.ts'

test.each([
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'application/json;q=0.5, TEXT/HTML ; q=0.9',
])('a client that accepts %s reads HTML', (accept) => {
  expect(prefersHtml(accept)).toBe(true)
})

test.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'application/json, text/html',
  'text/html;q=0',
  'text/html;q=x',
  'text/htmlx',
  ',;,',
])('a client that accepts %s does not', (accept) => {
  expect(prefersHtml(accept)).toBe(false)
})
