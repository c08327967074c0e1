import { describe, expect, test } from 'vitest'
import { createTargets, hostMessage, plainMessage } from './targets.ts'

const addresses: Record<string, string[]> = {
  'hooks.example.com': ['93.184.215.14', '2606:4700:4700::1111'],
  'xn--bcher-kva.example': ['93.184.215.14'],
  'half.example.com': ['93.184.215.14', '10.0.0.7'],
  'near.example.com': ['127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
}
const resolve = async (host: string) => addresses[host] ?? []
const strict = createTargets({ resolve, loopbackIsAllowed: false })
const lenient = createTargets({ resolve, loopbackIsAllowed: true })

async function allowed(text: string, targets = strict): Promise<string[]> {
  const target = targets.validateUrl(text)
  if (!target.ok) return []
  return (await targets.addressesOf(target.url)).map(({ address }) => address)
}

test('HTTPS on port 443 of a host at public addresses alone is allowed, with all of them', async () => {
  expect(await allowed('https://hooks.example.com/in?token=1')).toEqual(addresses['hooks.example.com'])
  expect(await allowed('https://hooks.example.com:443/')).toEqual(addresses['hooks.example.com'])
  expect(await allowed('https://HOOKS.Example.com')).toEqual(addresses['hooks.example.com'])
  expect(await allowed('https://bücher.example/')).toEqual(['93.184.215.14'])
  expect(await allowed('https://8.8.8.8/')).toEqual(['8.8.8.8'])
  expect(await allowed('https://[2606:4700:4700::1111]/')).toEqual(['2606:4700:4700::1111'])
})

describe('an address that is not so is refused', () => {
  test.each<readonly [string, string, string]>([
    ['no address', 'hooks.example.com', 'Send an absolute HTTPS address.'],
    ['no address', 'https://', 'Send an absolute HTTPS address.'],
    ['plain HTTP', 'http://hooks.example.com/', 'Send an address that begins with https://.'],
    ['another scheme', 'ftp://hooks.example.com/', 'Send an address that begins with https://.'],
    ['another scheme', 'file:///etc/passwd', 'Send an address that begins with https://.'],
    ['another port', 'https://hooks.example.com:8443/', 'Send an address on port 443.'],
    ['another port', 'https://hooks.example.com:80/', 'Send an address on port 443.'],
    ['a user', 'https://user@hooks.example.com/', 'Send an address without user name and password.'],
    ['a password', 'https://:pass@hooks.example.com/', 'Send an address without user name and password.'],
    ['a host in the user', 'https://hooks.example.com@127.0.0.1/', 'Send an address without user name and password.'],
    ['a fragment', 'https://hooks.example.com/#part', 'Send an address without a fragment.'],
    ['an empty fragment', 'https://hooks.example.com/#', 'Send an address without a fragment.'],
    ...['https:hooks.example.com', 'https:/hooks.example.com/', 'https:///hooks.example.com/'].map(
      (text) => ['no slashes, or more', text, 'Send an address that begins with https://.'] as const,
    ),
    ...[
      'https://hooks.example.com/\r\n',
      'https://hooks.exa\tmple.com/',
      'ht\ntps://hooks.example.com/',
      ' https://hooks.example.com/',
      'https://hooks.example.com/ ',
      'https://hooks.example.com/a b',
      'https://hooks.example.com\\in',
      'https:\\\\hooks.example.com/',
      'https://hooks.exam\u00ADple.com/',
      'https://hooks.example.com/\u200B',
      'https://hooks.example.com/\u3164',
    ].map((text) => ['what would be read as something else', text, plainMessage] as const),
    ['loopback', 'https://127.0.0.1/', hostMessage],
    ['decimal', 'https://2130706433/', hostMessage],
    ['octal', 'https://0177.0.0.1/', hostMessage],
    ['hexadecimal', 'https://0x7f000001/', hostMessage],
    ['hexadecimal in parts', 'https://0x7f.0x0.0x0.0x1/', hostMessage],
    ['short', 'https://127.1/', hostMessage],
    ['zero', 'https://0/', hostMessage],
    ['full-width digits', 'https://１２７.０.０.１/', hostMessage],
    ['percent-encoded', 'https://%31%32%37.0.0.1/', hostMessage],
    ['a trailing dot', 'https://127.0.0.1./', hostMessage],
    ['a trailing dot', 'https://hooks.example.com./', hostMessage],
    ['decimal, private', 'https://167772161/', hostMessage],
    ['metadata', 'https://169.254.169.254/latest', hostMessage],
    ['IPv6 loopback', 'https://[::1]/', hostMessage],
    ['IPv6 unspecified', 'https://[::]/', hostMessage],
    ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/', hostMessage],
    ['IPv4-mapped', 'https://[::ffff:7f00:1]/', hostMessage],
    ['NAT64', 'https://[64:ff9b::127.0.0.1]/', hostMessage],
    ['6to4', 'https://[2002:7f00:1::]/', hostMessage],
    ['unique local', 'https://[fd00::1]/', hostMessage],
    ['localhost', 'https://localhost/', hostMessage],
    ['localhost', 'https://LOCALHOST/', hostMessage],
    ['localhost with a dot', 'https://localhost./', hostMessage],
    ['below localhost', 'https://a.localhost/', hostMessage],
    ['one label', 'https://authz/', hostMessage],
    ['local', 'https://printer.local/', hostMessage],
    ['internal', 'https://metadata.google.internal/', hostMessage],
    ['home network', 'https://router.home.arpa/', hostMessage],
  ])('%s: %s', (_why, text, message) => expect(strict.validateUrl(text)).toEqual({ ok: false, message }))

  test.each(['half', 'near', 'mapped', 'nat64', 'unknown'])('a name that leads elsewhere: %s', async (name) => {
    expect(await allowed(`https://${name}.example.com/`)).toEqual([])
  })
})

test('an address that was stored is validated by the same rules as one that is sent', async () => {
  for (const text of ['http://hooks.example.com/', 'https://hooks.example.com:22/', 'https://127.0.0.1/'])
    expect(await strict.addressesOf(new URL(text))).toEqual([])
})

describe('where loopback is allowed', () => {
  test('receivers that name it plainly may use plain HTTP and any port', async () => {
    expect(await allowed('http://127.0.0.1:8080/in', lenient)).toEqual(['127.0.0.1'])
    expect(await allowed('http://127.9.9.9/', lenient)).toEqual(['127.9.9.9'])
    expect(await allowed('https://[::1]:8443/', lenient)).toEqual(['::1'])
    expect(await allowed('http://localhost:8080/', lenient)).toEqual(['127.0.0.1', '::1'])
  })

  test('everything else is as it was', async () => {
    for (const text of ['http://hooks.example.com/', 'https://10.0.0.1/', 'ftp://127.0.0.1/', 'https://a.localhost/'])
      expect(await allowed(text, lenient), text).toEqual([])
    for (const name of ['near', 'mapped', 'half'])
      expect(await allowed(`https://${name}.example.com/`, lenient)).toEqual([])
    expect(await allowed('https://hooks.example.com/', lenient)).toEqual(addresses['hooks.example.com'])
  })
})
