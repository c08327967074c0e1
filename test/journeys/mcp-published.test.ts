/**
 * The MCP server as it is published: the shape of its tarball is validated by publint and attw, and its command serves from an empty project that
 * has the packed client beside it.
 */

import { mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { walkerOf } from './client/owner-flow.ts'
import { folderOf, pack, packClient, projectWith, unpack } from './client/packed.ts'
import { expectPublishable } from './client/publishable.ts'
import { startHost } from './mcp/host.ts'

const packageFolder = join(import.meta.dirname, '../../libs/clients/mcp')

let stack: TestStack
let client: string
let tarball: string
let project: string
let unpacked: string

beforeAll(async () => {
  ;[stack, client, tarball] = await Promise.all([startTestStack(), packClient(), pack(packageFolder)])
  project = await projectWith(client)
  unpacked = join(project, 'node_modules/@financial-agents/mcp')
  await unpack(tarball, unpacked)
  // Links the real folder of each dependency, which has its own dependencies beside it.
  await mkdir(join(project, 'node_modules/@modelcontextprotocol'))
  for (const name of ['@modelcontextprotocol/node', '@modelcontextprotocol/server', 'jose'])
    await symlink(await realpath(join(packageFolder, 'node_modules', name)), join(project, 'node_modules', name))
})
afterAll(async () => {
  await stack?.close()
  const folders = [project, client && folderOf(client), tarball && folderOf(tarball)]
  for (const folder of folders) if (folder) await rm(folder, { recursive: true, force: true })
})

test('the tarball has what its manifest promises, and nothing else', async () => {
  const files = await expectPublishable(tarball, unpacked)
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/mcp.js', 'dist/main.js', 'dist/mcp.d.ts']),
  )
  const { dependencies } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies)).toEqual([
    '@financial-agents/client',
    '@modelcontextprotocol/node',
    '@modelcontextprotocol/server',
    'jose',
  ])
  expect(JSON.stringify(dependencies)).not.toContain('workspace:')
})

test('its command signs in and reads, from an empty project', async () => {
  const host = await startHost({
    stack,
    store: join(project, 'store'),
    command: { command: process.execPath, args: [join(unpacked, 'dist/main.js')] },
    open: walkerOf(stack, 'ines').open,
  })
  expect(await host.follow('list_payees')).toMatchObject({ status: 'ok', payees: [] })
  const { version } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))
  expect(host.client.getServerVersion()).toMatchObject({ name: 'financial-agents', version })
  await host.close()
  expect(host.errors).toEqual([])
})
