/**
 * The agent that every recipe here uses: a device client. The first call prints the page that the owner opens; the sign-in is kept in
 * the folder `.agent`, so that the owner is asked once. The intents of a recipe begin with its name: no other program has them.
 */

import { FinancialAgents } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { fileStore } from '@financial-agents/client/stores/file'

export const agent = FinancialAgents({
  baseUrl: process.env['API'] ?? 'http://127.0.0.1:8080',
  clientId: process.env['CLIENT_ID'] ?? 'my-agent',
  auth: device({
    scopes: [
      'identity:read',
      'authorization:read',
      'accounts:read',
      'activity:read',
      'beneficiaries:read',
      'beneficiaries:write',
      'operations:read',
      'spending:read',
      'spending:withdraw',
    ],
  }),
  store: fileStore('.agent'),
  onOwnerNeeded: ({ kind, url, code }) => console.log(`${kind}: open ${url}${code ? `, the code is ${code}` : ''}`),
})
