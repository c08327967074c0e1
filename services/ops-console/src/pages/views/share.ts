/** `12 %`: a part of a whole, rounded. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`
}
