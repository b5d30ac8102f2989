/** The files of a new plugin: one skill, the product that sells it, and its test. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** PLUGINS_DIR and PRODUCTS_DIR of an operator's folder, as seen from it. */
export interface Folders {
  plugins: string
  products: string
}

/** Text by path, below an operator's folder. */
export function pluginFiles(id: string, folders: Folders): Record<string, string> {
  return {
    [join(folders.plugins, id, 'index.ts')]: indexText(id),
    [join(folders.plugins, id, `${id}.test.ts`)]: testText(id, folders),
    [join(folders.products, `${id}.yaml`)]: productText(id),
  }
}

/** Written beside the first plugin of a folder. */
export const sharedFiles = ({ plugins }: Folders): Record<string, string> => ({
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        strict: true,
        target: 'esnext',
        // As Bun reads files. `nodenext` would ask the manifest's `type`, which `npm install` leaves out.
        module: 'preserve',
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        types: ['bun'],
      },
      include: [plugins],
    },
    null,
    2,
  )}\n`,
})

/** What the plugin's code and its test need besides the gateway, for package.json. */
export const devDependencies = (): Record<string, string> => ({
  '@types/bun': 'latest',
  // pnpm lets a folder run only what it names itself. The same version is not installed twice.
  bun: installedBun(),
  typebox: '^1.4.0',
  typescript: 'latest',
})

/** The version of the package `bun` that the gateway brings; that of the running one without it. */
function installedBun(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('bun/package.json')
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
  } catch {
    return Bun.version
  }
}

function indexText(id: string): string {
  return `import { definePlugin, defineSkill, PURE } from '@coinop/gateway'
import { Type } from 'typebox'

const shout = defineSkill({
  id: '${id}.shout',
  tools: [{ name: '${id}.shout' }],
  title: 'Shout',
  description: 'The text in capitals.',
  input: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: 1000 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({ text: Type.String() }),
  annotations: PURE,
  example: { input: { text: 'hello' }, output: { text: 'HELLO' } },
  handler: async (_ctx, input) => ({ ok: true, output: { text: input.text.toUpperCase() } }),
})

export default definePlugin({
  id: '${id}',
  version: '0.1.0',
  kernel: '^1.0.0',
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({ skills: [shout] }),
})
`
}

function testText(id: string, { plugins, products }: Folders): string {
  return `import { expect, test } from 'bun:test'
import { runContract, startTestGateway } from '@coinop/gateway/testkit'

test('${id} keeps the contract of every skill', async () => {
  const gateway = await startTestGateway(${source({ PLUGINS_DIR: plugins, PRODUCTS_DIR: products })})
  try {
    const checks = await runContract(gateway, [
      {
        skill: '${id}.shout',
        input: { text: 'hello' },
        badInputs: [{}, { text: 5 }, { text: '' }, { text: 'a', more: 1 }],
      },
    ])
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
  } finally {
    await gateway.stop()
  }
}, 600_000)
`
}

/** These texts as an object in source code. */
function source(texts: Record<string, string>): string {
  const members = Object.entries(texts).map(
    ([name, text]) => `${name}: '${text.replace(/[\\']/g, String.raw`\$&`)}'`,
  )
  return `{ ${members.join(', ')} }`
}

function productText(id: string): string {
  return `product_id: ${id}
title: ${id[0]!.toUpperCase()}${id.slice(1)}
description: What ${id} sells.
base_path: /v1/${id}
plugin: ${id}
metered: true
skills:
  - skill: ${id}.shout
    route: POST /shout
    price: { credits: 1 }
`
}
