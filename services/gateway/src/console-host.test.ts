import { expect, test } from 'vitest'
import { createIsConsoleHost } from './console-host.ts'

const asks = (consoleUrl: string, host: string | undefined, url = '/ops') =>
  createIsConsoleHost('https://api.example', consoleUrl)?.({ url, headers: host === undefined ? {} : { host } })

test('if the console has no host of its own, the host is ignored', () => {
  expect(createIsConsoleHost('https://api.example', 'https://api.example')).toBeNull()
  expect(createIsConsoleHost('https://api.example', 'https://api.example:443')).toBeNull()
})

test.each([
  ['console.example', true],
  ['Console.Example', true],
  ['console.example:443', true],
  ['console.example.:443', true],
  ['console.example:', true],
  ['console.example:80', false],
  ['api.example', false],
  ['console.example.evil.example', false],
  ['user@console.example', false],
  ['', false],
  [undefined, false],
])('the host %s is the console’s: %s', (host, expected) => {
  expect(asks('https://console.example', host)).toBe(expected)
})

test('another port is another host', () => {
  expect(asks('https://api.example:8443', 'api.example:8443')).toBe(true)
  expect(asks('https://api.example:8443', 'api.example')).toBe(false)
  expect(asks('http://[::1]:8080', '[::1]:8080')).toBe(true)
})

test('a target in absolute form takes precedence over the header', () => {
  expect(asks('https://console.example', 'api.example', 'https://console.example/ops')).toBe(true)
  expect(asks('https://console.example', 'console.example', 'HTTPS://api.example/ops')).toBe(false)
})
