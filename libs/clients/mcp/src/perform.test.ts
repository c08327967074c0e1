import { expect, test } from 'vitest'
import { json, scriptedApi } from './scripted-api.test-helper.ts'

test('null for an optional argument is as if it were left out; for a required or an unknown one it is wrong', async () => {
  const api = await scriptedApi()
  api.replies({ 'GET /v1/operations': json(200, { items: [] }) })
  expect(await api.call('list_operations', { state: null, kind: null, limit: null })).toMatchObject({ status: 'ok' })
  for (const args of [{ operation_id: null }, { operation_id: null, other: null }])
    expect(await api.call('get_operation', args)).toMatchObject({ status: 'invalid_arguments' })
  expect(await api.call('list_operations', { other: null })).toMatchObject({ status: 'invalid_arguments' })
})
