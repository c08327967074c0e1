/**
 * A growing set of 128-bit fingerprints in typed arrays: 24 to 48 bytes an entry where a `Set` of strings takes over a hundred
 * and has the garbage collector walk every one. Open addressing, at most two thirds full, in 64 tables that grow one at a
 * time, so that no single request pays for moving everything.
 *
 * Invariant: what was added is found until the set is dropped; there is no removal. Tables and slots are chosen under random
 * multipliers, so nobody who picks the fingerprints can make them pile up. A first word of zero marks an empty slot; a
 * fingerprint that begins so is kept with a one in its place.
 */

const wordsPerEntry = 4
const tableCount = 64
const tableBits = 6
const initialSlots = 16

/** A set of 16-byte fingerprints. */
export interface FingerprintSet {
  /** Adds the first 16 bytes of `digest`; false when they were there already. */
  add(digest: Buffer): boolean
  readonly size: number
}

interface Table {
  slots: Uint32Array
  used: number
}

/** Makes an empty set. */
export function createFingerprintSet(): FingerprintSet {
  const multipliers = crypto.getRandomValues(new Uint32Array(wordsPerEntry))
  const tables = Array.from({ length: tableCount }, () => emptyTable(initialSlots))
  let size = 0

  function mix(entry: Uint32Array, at: number): number {
    let mixed = 0
    for (let word = 0; word < wordsPerEntry; word++) {
      mixed += Math.imul(entry[at + word] as number, multipliers[word] as number)
    }
    return mixed >>> 0
  }

  function grow(former: Table): Table {
    const larger = emptyTable((former.slots.length / wordsPerEntry) * 2)
    for (let at = 0; at < former.slots.length; at += wordsPerEntry) {
      if (former.slots[at] !== 0) insert(larger, former.slots, at, mix(former.slots, at))
    }
    return larger
  }

  return {
    add(digest) {
      const entry = new Uint32Array(wordsPerEntry)
      for (let word = 0; word < wordsPerEntry; word++) entry[word] = digest.readUInt32LE(word * 4)
      entry[0] ||= 1
      const mixed = mix(entry, 0)
      // The high bits choose: in a product the low ones depend on the low ones of the factors only.
      const chosen = mixed >>> (32 - tableBits)
      let table = tables[chosen] as Table
      if ((table.used + 1) * wordsPerEntry * 3 > table.slots.length * 2) {
        table = grow(table)
        tables[chosen] = table
      }
      const isNew = insert(table, entry, 0, mixed)
      if (isNew) size += 1
      return isNew
    },
    get size() {
      return size
    },
  }
}

function emptyTable(slotCount: number): Table {
  return { slots: new Uint32Array(slotCount * wordsPerEntry), used: 0 }
}

function insert(table: Table, entry: Uint32Array, from: number, mixed: number): boolean {
  const { slots } = table
  const slotCount = slots.length / wordsPerEntry
  let slot = ((mixed << tableBits) >>> 0) >>> (Math.clz32(slotCount) + 1)
  for (;;) {
    const at = slot * wordsPerEntry
    if (slots[at] === 0) {
      for (let word = 0; word < wordsPerEntry; word++) slots[at + word] = entry[from + word] as number
      table.used += 1
      return true
    }
    if (isSame(slots, at, entry, from)) return false
    slot = (slot + 1) & (slotCount - 1)
  }
}

function isSame(slots: Uint32Array, at: number, entry: Uint32Array, from: number): boolean {
  for (let word = 0; word < wordsPerEntry; word++) {
    if (slots[at + word] !== entry[from + word]) return false
  }
  return true
}
