import { expect, test } from 'vitest'
import { normaliseTargetUri } from './target-uri.ts'

test.each([
  ['https://api.example/v1/accounts', 'https://api.example/v1/accounts'],
  ['HTTPS://API.Example/v1/Accounts', 'https://api.example/v1/Accounts'],
  ['https://api.example:443/v1', 'https://api.example/v1'],
  ['https://api.example:/v1', 'https://api.example/v1'],
  ['http://api.example:80/v1', 'http://api.example/v1'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ['https://api.example:80/v1', 'https://api.example:80/v1'],
  ['https://api.example', 'https://api.example/'],
  ['https://api.example?x=1', 'https://api.example/'],
  ['https://api.example/v1?x={y}|z#f', 'https://api.example/v1'],
  ['https://api.example/v1#f?x', 'https://api.example/v1'],
  ['https://api.example/%76%31/%7euser', 'https://api.example/v1/~user'],
  ['https://api.example/a%2fb%c3%a9', 'https://api.example/a%2Fb%C3%A9'],
  ['https://api.example/a|b', 'https://api.example/a%7Cb'],
  ['https://api.example/v1/./x/../accounts', 'https://api.example/v1/accounts'],
  ['https://api.example/v1/%2e%2E/accounts', 'https://api.example/accounts'],
  ['https://api.example/../../v1/..', 'https://api.example/'],
  ['https://api.example/v1/.', 'https://api.example/v1/'],
  ['https://api.example/v1//x/', 'https://api.example/v1//x/'],
  ['https://api.example/.well-known/x', 'https://api.example/.well-known/x'],
])('%s has the normal form %s', (uri, normal) => {
  expect(normaliseTargetUri(uri)).toBe(normal)
  expect(normaliseTargetUri(normal)).toBe(normal)
})

test.each([
  '',
  '/v1/accounts',
  'api.example/v1',
  '//api.example/v1',
  'https:/api.example/v1',
  'https:///v1',
  'https:\\\\api.example\\v1',
  'ftp://api.example/v1',
  'https://user@api.example/v1',
  'https://@api.example/v1',
  'https://api.example@evil.example/v1',
  'https://api.example:99999/v1',
  'https://api.example:1x/v1',
  'https://api%2eexample/v1',
  ' https://api.example/v1',
  'https://api.example/v1 ',
  'https://api.example/v1\t',
  'https://api.example/v1/%',
  'https://api.example/v1/%4',
  'https://api.example/v1/%zz',
  'https://api.example/%%341',
  'https://api.example/é',
])('%j has no normal form', (uri) => {
  expect(normaliseTargetUri(uri)).toBeUndefined()
})

test('distinct resources keep distinct normal forms', () => {
  const forms = ['/a/b', '/a%2Fb', '/A/b', '/a/b/', '/a//b', '/a/b%3Fc', '/a'].map((path) =>
    normaliseTargetUri(`https://api.example${path}`),
  )
  expect(new Set(forms).size).toBe(forms.length)
})
