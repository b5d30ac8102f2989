/** Scripts (modules for browsers, put together by Bun) and the style sheet, made when asked for. */
import { join } from 'node:path'

/** JavaScript of a file and all that it imports, built once. Rejects when it does not build. */
export function pageScript(entry: string): () => Promise<string> {
  let script: Promise<string> | null = null
  return () => {
    script ??= build(entry)
    script.catch(() => (script = null))
    return script
  }
}

async function build(entry: string): Promise<string> {
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'esm' })
  return built.outputs[0]!.text()
}

/** The parts of the style sheet in the order in which they count. */
const STYLES = ['base', 'frame', 'forms', 'pieces', 'tables', 'narrow']

/** CSS of style/, and of the page's `own` files behind it. */
export async function pageStyle(own: readonly string[] = []): Promise<string> {
  const paths = STYLES.map((name) => join(import.meta.dirname, 'style', `${name}.css`))
  const texts = await Promise.all([...paths, ...own].map((path) => Bun.file(path).text()))
  return texts.join('\n')
}
