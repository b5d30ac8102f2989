/** Broken and hostile PDFs: good files with bytes changed from a fixed seed, and files that ask for too much. */
import { deflateSync } from 'node:zlib'
import { show, streamObject, writePdf } from '../../support/pdf-writer.ts'

const HELLO = show('Hello world', 72, 700)

/** A pseudo-random source: the same numbers for the same seed (xorshift32). */
function source(seed: number): (below: number) => number {
  let state = seed * 0x9e3779b9 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Copies of a file with changed bytes, a missing end or a doubled piece. */
export function* damaged(file: Uint8Array, count: number, seed: number): Generator<Uint8Array> {
  const random = source(seed)
  for (let i = 0; i < count; i++) {
    const copy = new Uint8Array(file)
    const kind = random(4)
    if (kind === 0) yield copy.slice(0, random(copy.length))
    else if (kind === 1) {
      const at = random(copy.length)
      const to = at + random(400)
      yield Buffer.concat([copy.subarray(0, to), copy.subarray(at)])
    } else {
      for (let n = 1 + random(kind === 2 ? 5 : 200); n > 0; n--)
        copy[random(copy.length)] = random(256)
      yield copy
    }
  }
}

/** Files that ask for more than there is, by name. */
export function hostileFiles(): { name: string; bytes: Uint8Array }[] {
  const form = (body: string, more = ''): Buffer =>
    streamObject(body, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${more} >>`)
  const one = (content: string, more: Partial<Parameters<typeof writePdf>[0]> = {}, extra = '') =>
    writePdf({ pages: [{ content, extra }], ...more })
  const deep = (open: string, close: string): string => open.repeat(200_000) + close.repeat(200_000)
  return [
    {
      name: 'page tree in a loop',
      bytes: one(HELLO, { objects: { 2: '<< /Type /Pages /Kids [2 0 R 1000 0 R] /Count 2 >>' } }),
    },
    {
      name: 'forms that draw each other',
      bytes: one('/A Do', {
        resources: '/XObject << /A 100 0 R >>',
        objects: {
          100: form('/B Do', '/XObject << /B 101 0 R >>'),
          101: form('/A Do /A Do', '/XObject << /A 100 0 R >>'),
        },
      }),
    },
    {
      name: 'forms doubled ten times',
      bytes: one('/X Do', {
        resources: '/XObject << /X 100 0 R >>',
        objects: Object.fromEntries(
          Array.from({ length: 11 }, (_, i) => [
            100 + i,
            i === 10
              ? form('0 0 m 9 9 l S')
              : form('/X Do /X Do', `/XObject << /X ${101 + i} 0 R >>`),
          ]),
        ),
      }),
    },
    { name: 'saves without end', bytes: one('q '.repeat(4000) + HELLO) },
    { name: 'restores without end', bytes: one('Q '.repeat(500_000) + HELLO) },
    {
      name: 'marked content without end',
      bytes: one(`${'/S BMC '.repeat(200_000)}${HELLO}${'EMC '.repeat(200_000)}`),
    },
    { name: 'nested arrays', bytes: one(`[${deep('[', ']')}] TJ ${HELLO}`) },
    {
      name: 'nested dictionaries',
      bytes: one(HELLO, { objects: { 100: deep('<< /A ', '>>') }, catalog: '/Deep 100 0 R' }),
    },
    { name: 'page a million points wide', bytes: one(HELLO, {}, '/MediaBox [0 0 1e6 1e6]') },
    { name: 'page without extent', bytes: one(HELLO, {}, '/MediaBox [0 0 0 0]') },
    { name: 'box turned inside out', bytes: one(HELLO, {}, '/MediaBox [612 792 0 0]') },
    { name: 'not numbers', bytes: one(`q 1e999 0 0 --5 . 3 cm ${HELLO} Q ${HELLO}`) },
    {
      name: 'length too small',
      bytes: Buffer.from(
        Buffer.from(one(HELLO.repeat(20)))
          .toString('latin1')
          .replace(/\/Length \d+/g, '/Length 3'),
        'latin1',
      ),
    },
    {
      name: 'length too large',
      bytes: Buffer.from(
        Buffer.from(one(HELLO))
          .toString('latin1')
          .replace(/\/Length \d+/g, '/Length 99999999'),
        'latin1',
      ),
    },
    {
      name: 'deflated 80 MiB of spaces',
      bytes: one('', {
        objects: {
          1001: streamObject(deflateSync(Buffer.alloc(80 << 20, 32)), '/Filter /FlateDecode'),
        },
      }),
    },
    {
      name: 'deflated thrice',
      bytes: one('', {
        objects: {
          1001: streamObject(
            deflateSync(deflateSync(deflateSync(Buffer.alloc(60 << 20, 32)))),
            '/Filter [/FlateDecode /FlateDecode /FlateDecode]',
          ),
        },
      }),
    },
    {
      name: 'a filter a hundred times',
      bytes: one('', {
        objects: { 1001: streamObject('ffff', `/Filter [${'/ASCIIHexDecode '.repeat(100)}]`) },
      }),
    },
    {
      name: 'glyphs on one spot',
      bytes: one(`BT /F1 9 Tf ${'1 0 0 1 72 700 Tm (x) Tj '.repeat(120_000)} ET`, {
        compress: true,
      }),
    },
    {
      name: 'one word on every line',
      bytes: one(
        Array.from({ length: 60_000 }, (_, i) =>
          show(`w${i % 97}`, (i * 37) % 600, (i * 53) % 790, 4),
        ).join(''),
        { compress: true },
      ),
    },
    {
      name: 'accents without letters',
      bytes: one(`BT /F1 9 Tf 72 700 Td ${'(\\264) Tj -0.1 0 Td '.repeat(50_000)} ET`, {
        compress: true,
      }),
    },
    {
      name: 'a grid of ten thousand lines',
      bytes: one(
        Array.from(
          { length: 10_000 },
          (_, i) =>
            `${i % 2 ? `${(i * 7) % 612} 0 m ${(i * 7) % 612} 792 l` : `0 ${(i * 11) % 792} m 612 ${(i * 11) % 792} l`} S `,
        ).join('') + HELLO,
        { compress: true },
      ),
    },
    {
      name: 'many areas',
      bytes: one(
        Array.from(
          { length: 50_000 },
          (_, i) => `${(i * 13) % 600} ${(i * 7) % 780} ${9 + (i % 40)} ${6 + (i % 9)} re f `,
        ).join('') +
          Array.from({ length: 3000 }, (_, i) =>
            show(`${i}`, (i % 10) * 60, 780 - Math.floor(i / 10) * 2.6, 2),
          ).join(''),
        { compress: true },
      ),
    },
    {
      name: 'fields in a loop',
      bytes: one(
        HELLO,
        {
          objects: {
            100: '<< /FT /Tx /T (a) /Kids [100 0 R] /Parent 100 0 R /V (x) /Subtype /Widget /Rect [0 0 9 9] >>',
          },
          catalog: '/AcroForm << /Fields [100 0 R] >>',
        },
        '/Annots [100 0 R]',
      ),
    },
    {
      name: 'annotations by the thousand',
      bytes: one(
        HELLO,
        {
          objects: {
            100: '<< /Type /Annot /Subtype /FreeText /Rect [0 0 99 99] /Contents (many) >>',
          },
        },
        `/Annots [${'100 0 R '.repeat(5000)}]`,
      ),
    },
  ]
}
