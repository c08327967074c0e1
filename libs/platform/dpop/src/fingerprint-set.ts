/**
 * A growing set of 128-bit fingerprints in typed arrays. An entry takes 24 to 48 bytes; in a `Set` of strings it takes
 * over a hundred, and the garbage collector visits every entry. The set uses open addressing in 64 tables, each at most
 * two thirds full. The tables grow one at a time, so no single request pays for moving all entries.
 *
 * Invariant: an added fingerprint is found until the set is dropped; entries cannot be removed. Random multipliers
 * choose the table and the slot, so nobody who picks the fingerprints can cause collisions on purpose. A first word of
 * zero marks an empty slot; in a fingerprint that begins with zero, this word is stored as one.
 */

const wordsPerEntry = 4
const tableCount = 64
const tableBits = 6
const initialSlots = 16

/** A set of 16-byte fingerprints. */
export interface FingerprintSet {
  /** Adds the first 16 bytes of `digest`. Returns false if the set held them already. */
  add(digest: Buffer): boolean
  readonly size: number
}

interface Table {
  slots: Uint32Array
  used: number
}

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
      // The high bits choose the table: the low bits of a product depend only on the low bits of its factors.
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
