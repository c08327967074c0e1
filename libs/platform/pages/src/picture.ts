/**
 * The pictures that this origin serves for others: the logo of the installation, and those of applications. Only PNG and SVG
 * are taken, validated by their content.
 *
 * Invariant: a picture cannot do anything. It is small and does not move. An SVG has no script, no document and no reference
 * within it. A browser that opens the picture's address shows it in a sandbox that loads nothing.
 */

export const maxPictureBytes = 65_536

/** The largest width and height of a PNG, so that a small file does not become a large picture in memory. */
const maxPixels = 2_048

export type PictureType = 'image/png' | 'image/svg+xml'

export type PictureResult = { type: PictureType; fault?: undefined } | { fault: string }

/** Returns the type of a picture, or the reason why it is refused. */
export function validatePicture(bytes: Uint8Array): PictureResult {
  if (bytes.length > maxPictureBytes) return { fault: `is larger than ${maxPictureBytes / 1_024} KiB` }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (buffer.subarray(0, 8).equals(pngSignature)) return validatePng(buffer)
  const text = decoded(buffer)
  return text !== undefined && svgRoot.test(text) ? validateSvg(text) : { fault: 'is neither a PNG nor an SVG' }
}

/** `keptS`: the time in seconds for which caches may keep the picture. */
export function pictureHeaders(type: PictureType, keptS: number, immutable = false): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': pictureSecurityPolicy,
    'cache-control': `public, max-age=${keptS}${immutable ? ', immutable' : ''}`,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}

/** The styles of an SVG are its own, and load nothing. */
const pictureSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Reads the chunks to the end. The first chunk has the size, and an animated PNG has the chunk `acTL`. */
function validatePng(png: Buffer): PictureResult {
  const whole = 'is not a whole PNG'
  let at = pngSignature.length
  for (let first = true; ; first = false) {
    if (at + 12 > png.length) return { fault: whole }
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > png.length || (first && (name !== 'IHDR' || length !== 13))) return { fault: whole }
    if (first) {
      const [width, height] = [png.readUInt32BE(at + 8), png.readUInt32BE(at + 12)]
      if (width === 0 || height === 0) return { fault: whole }
      if (width > maxPixels || height > maxPixels) return { fault: `has more than ${maxPixels} pixels a side` }
    }
    if (name === 'acTL') return { fault: 'moves' }
    at += 12 + length
    if (name === 'IEND') return at === png.length ? { type: 'image/png' } : { fault: 'has something behind its end' }
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** An SVG in UTF-8: a declaration and comments may come before its root, and nothing else. */
const svgRoot = /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!--)[^])*-->\s*)*<svg[\s>]/

/** Forms that an SVG must not contain. Browsers ignore them in a picture, and no logo needs them. */
const forbidden: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/<!DOCTYPE|<!ENTITY|<\?(?!xml\s)/i, 'has a document type, an entity or an instruction'],
  [
    /<(?:[\w.-]+:)?(?:script|foreignObject|iframe|embed|object|audio|video|image|handler|listener)[\s/>]/i,
    'has a script, or another document or picture within it',
  ],
  [/<(?:[\w.-]+:)?(?:animate\w*|set|discard)[\s/>]|@keyframes|animation\s*:/i, 'moves'],
  [/\son[a-z]+\s*=/i, 'has a script'],
  [/\b(?:href|src)\s*=\s*(?!["']#)/i, 'refers to something outside it'],
  [/@import|url\(\s*(?!["']?#)/i, 'refers to something outside it'],
  [/&(?!(?:amp|lt|gt|quot|apos);)/, 'has a character reference'],
]

function validateSvg(text: string): PictureResult {
  const found = forbidden.find(([pattern]) => pattern.test(text))
  return found ? { fault: found[1] } : { type: 'image/svg+xml' }
}
