/** The script (page/ as one module for browsers) and the style sheet, made when asked for. */
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'page')

let script: Promise<string> | null = null

/** JavaScript of page/main.ts and all that it imports. Rejects when it does not build. */
export function scriptText(): Promise<string> {
  script ??= build()
  script.catch(() => (script = null))
  return script
}

async function build(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, 'main.ts')],
    target: 'browser',
    format: 'esm',
  })
  return built.outputs[0]!.text()
}

/** The parts of the style sheet in the order in which they count. */
const STYLES = ['base', 'frame', 'forms', 'pieces', 'tables', 'narrow']

/** CSS of page/style/. */
export async function styleText(): Promise<string> {
  const files = STYLES.map((name) => Bun.file(join(FOLDER, 'style', `${name}.css`)).text())
  return (await Promise.all(files)).join('\n')
}
