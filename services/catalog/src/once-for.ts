/**
 * Derives a value from an answer that is cached elsewhere: once for each answer, and for as long as the answer is
 * cached. A failure is not cached.
 */

export function onceFor<Given extends object, More extends readonly unknown[], Made>(
  make: (given: Given, ...more: More) => Promise<Made>,
): (given: Given, ...more: More) => Promise<Made> {
  const kept = new WeakMap<Given, Promise<Made>>()
  return (given, ...more) => {
    const known = kept.get(given)
    if (known) return known
    const made = make(given, ...more)
    kept.set(given, made)
    made.catch(() => kept.delete(given))
    return made
  }
}
