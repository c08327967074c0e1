/** Slots for exchanges: a total, and a limit for one host. */

export type HostSlots = {
  isFull(): boolean
  take(host: string): void
  giveBack(host: string): void
  /**
   * Returns the number of exchanges that each of these hosts may begin, in their order. `enough` is false if the total
   * ran out before the last host. A host that uses all of its own slots is skipped.
   */
  roomsFor(hosts: readonly string[]): { rooms: Room[]; enough: boolean }
}

export type Room = { host: string; room: number }

export function createHostSlots({ total, perHost }: { total: number; perHost: number }): HostSlots {
  const busy = new Map<string, number>()
  let free = total
  return {
    isFull: () => free === 0,
    take: (host) => {
      free -= 1
      busy.set(host, (busy.get(host) ?? 0) + 1)
    },
    giveBack: (host) => {
      free += 1
      const left = (busy.get(host) ?? 1) - 1
      if (left === 0) busy.delete(host)
      else busy.set(host, left)
    },
    roomsFor: (hosts) => {
      const rooms: Room[] = []
      let left = free
      for (const host of hosts) {
        if (left === 0) return { rooms, enough: false }
        const room = Math.min(left, perHost - (busy.get(host) ?? 0))
        if (room > 0) rooms.push({ host, room })
        left -= room
      }
      return { rooms, enough: true }
    },
  }
}
