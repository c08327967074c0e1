/** A store that ends with the process: durable writes do not survive a crash. For tests, and for reads only. */

import type { Store } from '../store.ts'

/** Creates an empty store in memory. */
export function memoryStore(): Store {
  const values = new Map<string, unknown>()
  return {
    keepsKeys: true,
    get: async (key) => values.get(key),
    set: async (key, value, { ifAbsent = false } = {}) => {
      if (ifAbsent && values.has(key)) return false
      values.set(key, value)
      return true
    },
    delete: async (key) => {
      values.delete(key)
    },
  }
}
