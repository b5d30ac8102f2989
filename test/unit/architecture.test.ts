/** The import rules of the house, read from the import texts of every source file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Folders and files of kernel/, each of which imports only what stands left of it. */
const ORDER =
  `errors reasons ids money units version log work schema storage net jobs config ledger auth pricing
  rails plugins metering products http services compose index host main`.split(/\s+/)

const ALIASES: Readonly<Record<string, string>> = {
  '#kernel': 'kernel/index.ts',
  '#kernel/host': 'kernel/host.ts',
  '#patterns': 'kernel/schema/patterns.ts',
  '#skillkit': 'plugins/shared/skillkit/index.ts',
}
const ENTRIES = Object.values(ALIASES)

interface Import {
  text: string
  /** Only types: nothing of it is left at run time. */
  isType: boolean
  /** Loaded when it is needed: it cannot take part in a circle at the start. */
  isLazy: boolean
}

function sources(folder: string, endings = /\.ts$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Every module text a file imports, re-exports or loads, types included. */
function importsOf(file: string): Import[] {
  const code = read(file)
  const named = [
    ...code.matchAll(
      /^\s*(?:import|export)\s+(type\s+)?((?:[\w$*,\s]|\{[^}]*\})*?)\s*from\s*['"]([^'"\n]+)['"]/gm,
    ),
  ].map(([, type, names = '', text = '']) => ({
    text,
    isType: Boolean(type) || allTypes(names),
    isLazy: false,
  }))
  const others = [...code.matchAll(/^\s*import\s+['"]([^'"\n]+)['"]/gm)].map(([, text = '']) => ({
    text,
    isType: false,
    isLazy: false,
  }))
  const lazy = [...code.matchAll(/import\(\s*['"]([^'"\n]+)['"]/g)].map(([, text = '']) => ({
    text,
    isType: true,
    isLazy: true,
  }))
  return [...named, ...others, ...lazy]
}

/** Whether `{ type A, type B }` names types only. */
function allTypes(names: string): boolean {
  const list = /^\{([^}]*)\}$/.exec(names.trim())?.[1]?.split(',') ?? []
  const given = list.map((name) => name.trim()).filter((name) => name !== '')
  return given.length > 0 && given.every((name) => name.startsWith('type '))
}

/** The project path a relative import leads to; null for packages and `#kernel`. */
function target(file: string, text: string): string | null {
  return text.startsWith('.') ? relative(root, resolve(root, dirname(file), text)) : null
}

function violations(files: string[], isAllowed: (file: string, path: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .map(({ text }) => target(file, text))
      .filter((path): path is string => path !== null && !isAllowed(file, path))
      .map((path) => `${file} imports ${path}`),
  )
}

/** The imports whose text, which is no path, fits `name`. */
function importsNamed(files: readonly string[], name: RegExp): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ text }) => name.test(text))
      .map(({ text }) => `${file} imports ${text}`),
  )
}

/** Circles of imports, those of types among them, each as the files on it. */
function circles(files: readonly string[]): string[] {
  const next = (file: string): string[] =>
    importsOf(file)
      .filter(({ isLazy }) => !isLazy)
      .map(({ text }) => ALIASES[text] ?? target(file, text))
      .filter((path) => path !== null && path.endsWith('.ts') && existsSync(join(root, path)))
      .map(String)
  return circlesOf(files, next)
}

/** Circles of the folders and files that lie in `base`, by what their files import of each other. */
function circlesOfRooms(base: string): string[] {
  const roomOf = (path: string): string => join(base, relative(base, path).split('/')[0]!)
  const rooms = new Map<string, Set<string>>()
  for (const file of sources(base)) {
    const room = roomOf(file)
    const used = rooms.get(room) ?? new Set()
    rooms.set(room, used)
    for (const { text } of importsOf(file)) {
      const path = target(file, text)
      if (path?.startsWith(`${base}/`) && roomOf(path) !== room) used.add(roomOf(path))
    }
  }
  return circlesOf([...rooms.keys()], (room) => [...(rooms.get(room) ?? [])])
}

function circlesOf(all: readonly string[], next: (one: string) => readonly string[]): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (one: string, way: readonly string[]): void => {
    if (state.get(one) === 'done') return
    if (state.get(one) === 'open') {
      found.push([...way.slice(way.indexOf(one)), one].join(' → '))
      return
    }
    state.set(one, 'open')
    for (const other of next(one)) visit(other, [...way, one])
    state.set(one, 'done')
  }
  for (const one of all) visit(one, [])
  return found
}

const kernel = sources('kernel')
const plugins = sources('plugins')
const cli = sources('cli')
const testkit = sources('testkit')
/** What keeps the kernel's contracts; bin/main.ts hands it over. */
const host = sources('host')
const all = [...kernel, ...cli, ...plugins, ...host, ...testkit]

describe('import rules', () => {
  it('reads real imports', () => {
    expect(kernel.length).toBeGreaterThan(20)
    expect(kernel.flatMap(importsOf).length).toBeGreaterThan(kernel.length)
    expect(kernel.flatMap(importsOf).some(({ isType }) => isType)).toBe(true)
  })

  it('cover every folder of the repository', () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
      .map((entry) => entry.name)
      .filter((folder) => sources(folder).length > 0)
    const others = [
      'bin',
      'kernel',
      'host',
      'cli',
      'plugins',
      'testkit',
      'test',
      'packaging',
      'specs',
      'deploy',
    ]
    expect(folders.toSorted()).toEqual(others.toSorted())
  })

  it('the contract is imported by its short name, and by none inside the kernel', () => {
    expect(importsNamed([...kernel, ...cli], /^#/)).toEqual([])
    // The template is the text of a plugin outside of this repository.
    const files = all.filter((file) => file !== 'plugins/scaffold/plugin-template.ts')
    expect(importsNamed(files, /^(@coinop\/gateway|coinop)(\/|$)/)).toEqual([])
  })

  it('the test kit, which a plugin has beside it, imports #kernel, its own folder and npm', () => {
    expect(violations(testkit, (_, path) => path.startsWith('testkit/'))).toEqual([])
    expect(importsNamed(testkit, /^#(?!kernel$)/)).toEqual([])
  })

  it('the kernel imports nothing outside of it', () => {
    expect(violations(kernel, (_, path) => path.startsWith('kernel/'))).toEqual([])
  })

  it('a part of the kernel imports only parts left of it', () => {
    const placeOf = (path: string): number => ORDER.indexOf(path.split('/')[1]!.replace('.ts', ''))
    const unplaced = kernel.filter((file) => placeOf(file) === -1)
    expect(unplaced).toEqual([])
    const isLeft = (file: string, path: string): boolean =>
      !path.startsWith('kernel/') || placeOf(path) <= placeOf(file)
    expect(violations(kernel, isLeft)).toEqual([])
  })

  it('no files import each other in a circle', () => {
    expect(circles([...all, ...sources('bin')])).toEqual([])
  })

  it('no folders that lie in one folder import each other in a circle', () => {
    const folders = new Set(all.map((file) => dirname(file)))
    const above = [...folders].flatMap((folder) =>
      folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')),
    )
    expect([...new Set(above)].flatMap(circlesOfRooms)).toEqual([])
  })

  it('a plugin imports #kernel, #patterns, #skillkit, its own folder, plugins/shared and npm', () => {
    // plugins/shared/<thing>/ imports like a plugin; plugins/shipped.ts is the list of all.
    const own = (file: string) =>
      file
        .split('/')
        .slice(0, file.startsWith('plugins/shared/') ? 3 : 2)
        .join('/') + '/'
    const files = plugins.filter((file) => file !== 'plugins/shipped.ts')
    const isAllowed = (file: string, path: string): boolean =>
      path.startsWith(own(file)) ||
      (path.startsWith('plugins/shared/') && !file.startsWith('plugins/shared/'))
    expect(violations(files, isAllowed)).toEqual([])
    expect(importsNamed(plugins, /^#kernel./)).toEqual([])
  })

  it('the command line imports the kernel and npm', () => {
    expect(violations(cli, (_, path) => /^(cli|kernel)\//.test(path))).toEqual([])
  })

  it('a folder of host/ imports #kernel, #kernel/host, #patterns, itself and npm', () => {
    // The embedded PostgreSQL is asked by the client that the gateway has; /ready explains its errors.
    const isAllowed = (file: string, path: string): boolean =>
      path.split('/')[1] === file.split('/')[1] ||
      (file.startsWith('host/embedded-postgres/') && path === 'host/database/client.ts') ||
      (file === 'host/status/checks.ts' && path === 'host/database/server-errors.ts')
    expect(violations(host, isAllowed)).toEqual([])
    expect(importsNamed(host, /^#(?!(kernel(\/host)?|patterns)$)/)).toEqual([])
  })

  it('nothing imports test/ or bin/', () => {
    expect(violations(all, (_, path) => !/^(test|bin)\//.test(path))).toEqual([])
  })

  it('the public entries are the only barrels', () => {
    const barrels = [...kernel, ...cli, ...plugins, ...host].filter(
      (file) => !ENTRIES.includes(file) && /^export \* from/m.test(read(file)),
    )
    expect(barrels).toEqual([])
  })
})

describe('test/unit', () => {
  /** What opens a database, a socket, a process or a chain. */
  const OPENS =
    /\bBun\.(serve|listen|connect|spawn|SQL)\b|\bcreateServer\(|\btestDatabase\(|\bstartGateway\(|from '(node:(net|tls|http|https|dgram|child_process)|postgres)'/

  it('opens no database, socket, process or chain, nor does the test support that it imports', () => {
    const helpers = (file: string, seen: Set<string>): Set<string> => {
      if (seen.has(file)) return seen
      seen.add(file)
      for (const { text, isType } of importsOf(file)) {
        const path = target(file, text)
        if (!isType && path?.startsWith('test/') && path.endsWith('.ts')) helpers(path, seen)
      }
      return seen
    }
    const open = sources('test/unit')
      .filter((file) => file !== 'test/unit/architecture.test.ts')
      .flatMap((file) =>
        [...helpers(file, new Set())]
          .filter((one) => OPENS.test(read(one)))
          .map((one) => (one === file ? file : `${file} by ${one}`)),
      )
    expect(open).toEqual([])
  })
})

describe('the child of the document pool', () => {
  it('loads nothing of the kernel at its start, which every gateway has', () => {
    const loadedBy = (file: string): string[] =>
      importsOf(file)
        .filter(({ isType }) => !isType)
        .flatMap(({ text }) => {
          const path = target(file, text)
          return path === null ? [text] : loadedBy(path)
        })
    const loaded = loadedBy('host/document-jobs/child.ts')
    expect(loaded).toContain('bun:ffi')
    expect(loaded.filter((text) => !/^(node|bun):/.test(text))).toEqual([])
  })
})

describe('words of the kernel', () => {
  const texts = sources('kernel', /\.(ts|sql|mjs)$/)
  const linesWith = (pattern: RegExp): string[] =>
    texts.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line}`] : [])),
    )

  it('name no rail of a plugin, no chain and no payment provider', () => {
    const foreign =
      /x402|viem|evm|eip-?155|eip-?3009|facilitator|anvil|solana|provider_[ab]|paystack|flutterwave|stripe/i
    expect(linesWith(foreign)).toEqual([])
  })

  it('name no plugin', () => {
    /** Plugins whose names are ordinary words, which the kernel uses in their own meaning. */
    const ordinary = [
      'admin',
      'console',
      'demo',
      'documents',
      'mcp',
      'plans',
      'portal',
      'proxy',
      'publish',
      'receipts',
      'shared',
      'topup',
      'utils',
      'wallet',
    ]
    const names = readdirSync(join(root, 'plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    const proper = names.filter((name) => !ordinary.includes(name))
    expect(proper.length).toBeGreaterThan(0)
    expect(
      linesWith(
        new RegExp(String.raw`\b(${proper.join('|')})\b|plugins/(${names.join('|')})/`, 'i'),
      ),
    ).toEqual([])
  })
})
