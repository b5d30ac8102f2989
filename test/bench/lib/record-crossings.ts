/**
 * Preloaded into a gateway by `crossings.ts`: every function of the gateway's own files notes its
 * file and line when it is entered. The source is parsed as it is loaded (by the parser that vitest
 * exports) and a note is put at the start of each body, so nothing depends on sampling; types,
 * imports and constants of a module count nothing.
 */
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseAst } from 'vitest/node'

const NOTE = '__crossed'
const root = resolve(import.meta.dirname, '../../..')
const socket = process.env['CROSSINGS_SOCKET']
const entered = new Set<string>()

interface Node {
  type: string
  start: number
  end: number
  body?: Node | null
}

/** The source with a note at the start of every function body. */
function instrumented(source: string, file: string): string {
  const added: [offset: number, text: string][] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (value === null || typeof value !== 'object') return
    const { type, body, start } = value as Node
    const line = source.slice(0, start).split('\n').length
    const note = `${NOTE}.add(${JSON.stringify(`${file}:${line}`)})`
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && body) {
      if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
        added.push([body.start + 1, `${note};`])
      else added.push([body.start, `(${note},`], [body.end, ')'])
    }
    Object.values(value).forEach(visit)
  }
  visit(parseAst(source, { lang: 'ts' }))
  let text = ''
  let last = 0
  for (const [offset, piece] of added.toSorted(([a], [b]) => a - b)) {
    text += source.slice(last, offset) + piece
    last = offset
  }
  return text + source.slice(last)
}

if (socket !== undefined && process.argv[1] === join(root, 'bin/main.ts')) {
  Object.assign(globalThis, { [NOTE]: entered })
  await Bun.plugin({
    name: 'crossings',
    setup(build) {
      build.onLoad({ filter: /^(?!.*\/node_modules\/).*\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        const file = relative(root, path)
        const isOurs = !file.startsWith('..') && !file.startsWith('test/')
        return { contents: isOurs ? instrumented(source, file) : source, loader: 'ts' }
      })
    },
  })
  Bun.serve({
    unix: socket,
    fetch(request) {
      if (new URL(request.url).pathname === '/begin') entered.clear()
      return Response.json([...entered])
    },
  })
}
