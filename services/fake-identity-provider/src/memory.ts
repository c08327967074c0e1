/** The library's storage, in memory; it ends with the process. The library itself refuses expired entries. */

import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Returns the library's adapter factory. Each model has one adapter with its own entries. */
export function createMemory(): (model: string) => Adapter {
  const models = new Map<string, Adapter>()
  return (model) => {
    const known = models.get(model) ?? createModel()
    models.set(model, known)
    return known
  }
}

function createModel(): Adapter {
  const entries = new Map<string, AdapterPayload>()
  return {
    upsert: async (id, payload) => {
      entries.set(id, payload)
    },
    find: async (id) => entries.get(id),
    findByUid: async (uid) => entries.values().find((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => entries.values().find((payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = entries.get(id)
      if (payload) entries.set(id, { ...payload, consumed: Math.floor(Date.now() / 1_000) })
    },
    destroy: async (id) => {
      entries.delete(id)
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of entries) if (payload.grantId === grantId) entries.delete(id)
    },
  }
}
