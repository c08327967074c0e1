/** A picture is accepted only if its content is a PNG or an SVG, is small, does not move and holds nothing else. */

import { expect, test } from 'vitest'
import { pictureHeaders, validatePicture } from './picture.ts'

const svg = (content: string, attributes = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${content}</svg>`,
  )

const chunk = (name: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
const size = (width: number, height: number) => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  return data
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const end = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks])

test.each<[string, Buffer, string]>([
  ['a PNG', png(chunk('IHDR', size(64, 64)), end), 'image/png'],
  [
    'an SVG',
    svg('<path d="M0 0h1" fill="url(#a)"/><use xlink:href="#a"/><style>.a{fill:red}</style>'),
    'image/svg+xml',
  ],
  [
    'an SVG with a declaration and a comment',
    Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'image/svg+xml',
  ],
])('%s is taken', (_name, bytes, type) => {
  expect(validatePicture(bytes)).toEqual({ type })
})

test.each<[string, Buffer, string]>([
  ['nothing', Buffer.alloc(0), 'neither'],
  ['a page', Buffer.from('<!doctype html><svg></svg>'), 'neither'],
  ['a page with a comment first', Buffer.from('<!-- x --><html><svg/></html>'), 'neither'],
  ['bytes that are no text', Buffer.from([0x3c, 0x73, 0x76, 0x67, 0x20, 0xff]), 'neither'],
  ['too much', Buffer.alloc(65_537), 'larger than 64 KiB'],
  ['a script', svg('<script>1</script>'), 'script'],
  ['a script by another prefix', svg('<s:script>1</s:script>'), 'script'],
  ['a handler', svg('<path onclick="1"/>'), 'script'],
  ['a handler at the root', svg('', '\nonload = "1"'), 'script'],
  ['a document', svg('<foreignObject/>'), 'document'],
  ['a picture', svg('<image href="#a"/>'), 'picture'],
  ['a link', svg('<a xlink:href="https://elsewhere.example"/>'), 'outside'],
  ['a link of a script', svg("<a href='javascript:1'/>"), 'outside'],
  ['an import', svg('<style>@import "a.css"</style>'), 'outside'],
  ['a style that loads', svg('<path style="fill:url(https://elsewhere.example)"/>'), 'outside'],
  ['an entity', Buffer.from('<svg><!ENTITY a "b"></svg>'), 'document type'],
  ['a stylesheet by instruction', svg('<?xml-stylesheet href="a"?>'), 'instruction'],
  ['a character reference', svg('<a style="&#117;rl(x)"/>'), 'character reference'],
  ['movement', svg('<animate attributeName="x"/>'), 'moves'],
  ['movement by style', svg('<style>@keyframes a{}</style>'), 'moves'],
  ['a PNG that is cut', png(chunk('IHDR', size(64, 64)), end).subarray(0, -4), 'whole PNG'],
  ['a PNG without a size', png(end), 'whole PNG'],
  ['a PNG with more behind it', png(chunk('IHDR', size(64, 64)), end, Buffer.from('<script>')), 'behind its end'],
  ['a PNG that would fill the memory', png(chunk('IHDR', size(30_000, 30_000)), end), '2048 pixels'],
  ['a PNG that moves', png(chunk('IHDR', size(64, 64)), chunk('acTL', Buffer.alloc(8)), end), 'moves'],
])('%s is not taken', (_name, bytes, why) => {
  expect(validatePicture(bytes).fault).toContain(why)
})

test('a picture is served as what it is, in a sandbox that loads nothing', () => {
  expect(pictureHeaders('image/svg+xml', 60)).toEqual({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    'cache-control': 'public, max-age=60',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
})
