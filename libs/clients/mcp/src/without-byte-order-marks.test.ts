import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { withoutByteOrderMarks } from './without-byte-order-marks.ts'

const mark = '\uFEFF'

test.each([1, 2, 3, 7, 1_000])(
  'marks at the beginning of messages go, in chunks of %i bytes, and others stay',
  async (size) => {
    const bytes = Buffer.from(`${mark}{"a":1}\n${mark}{"b":"${mark}ü😀"}\r\n{"c":3}\n`)
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const read = (await Readable.from(chunks).pipe(withoutByteOrderMarks()).toArray()) as Buffer[]
    expect(Buffer.concat(read).toString()).toBe(`{"a":1}\n{"b":"${mark}ü😀"}\r\n{"c":3}\n`)
  },
)
