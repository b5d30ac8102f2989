/**
 * Does what deploy/Dockerfile says where there is no container runtime: every stage in a root of its
 * own, an overlay of this machine as the base image, then the entry point as its user until the health
 * check passes, a call is paid and SIGTERM ends it with 0. Needs Linux, root, Node.js 20 or newer and
 * the network (npm, and apt on Debian): `bun deploy/try-dockerfile.ts`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..')
const STARTED_WITHIN_MS = 120_000
/** What the installed package may take of an image. */
const MOST_MB = 500
const SHELL = '/bin/sh'

interface Step {
  word: string
  rest: string
}
interface Stage {
  name: string
  root: string
  env: Record<string, string>
  folder: string
  user: string
}

/** The instructions, with continued lines joined and comments left out. */
function stepsOf(text: string): Step[] {
  const joined = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ')
  return joined.split('\n').flatMap((line) => {
    const found = /^([A-Z]+)\s+(.*)$/.exec(line.trim())
    return found ? [{ word: found[1]!, rest: found[2]! }] : []
  })
}

function run(command: string, words: readonly string[], options: { cwd?: string } = {}): string {
  const done = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28, ...options })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${words.join(' ')} ended with ${done.status}\n${done.stderr}`)
}

/** An overlay of this machine's root: what a step writes lies in it alone. */
function openRoot(scratch: string, name: string): string {
  const base = join(scratch, name)
  const root = join(base, 'root')
  for (const folder of ['upper', 'work', 'root']) mkdirSync(join(base, folder), { recursive: true })
  const layers = `lowerdir=/,upperdir=${base}/upper,workdir=${base}/work`
  run('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  run('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
  run('mount', ['--bind', '/dev', join(root, 'dev')])
  return root
}

function inside(stage: Stage, command: string): readonly [string, string[]] {
  const env = Object.entries(stage.env).map(([name, value]) => `${name}=${value}`)
  const user = stage.user === 'root' ? [] : [`--userspec=${stage.user}:${stage.user}`]
  const words = [...user, stage.root, '/usr/bin/env', '-i', ...env, SHELL, '-ec']
  return ['chroot', [...words, `cd '${stage.folder}' && ${command}`]]
}

function copy(stage: Stage, stages: ReadonlyMap<string, Stage>, rest: string): void {
  const flags = [...rest.matchAll(/--(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])
  const { from, chown } = Object.fromEntries(flags) as { from?: string; chown?: string }
  const places = rest
    .replaceAll(/--\w+=\S+\s*/g, '')
    .trim()
    .split(/\s+/)
  const target = join(stage.root, resolve(stage.folder, places.pop()!))
  const source = from === undefined ? project : stages.get(from)!.root
  // The contents of a folder are copied into the target, a file under its name.
  mkdirSync(target, { recursive: true })
  for (const place of places) {
    if (from === undefined && place === '.') copyContext(target)
    else if (statSync(join(source, place)).isDirectory())
      run('cp', ['-a', `${join(source, place)}/.`, target])
    else run('cp', ['-a', join(source, place), target])
  }
  if (chown !== undefined)
    run('chroot', [stage.root, 'chown', '-R', chown, target.slice(stage.root.length)])
}

/** The build context: this folder without what .dockerignore names. */
function copyContext(target: string): void {
  const ignored = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const words = ignored.map((pattern) => `--exclude=./${pattern}`)
  run(SHELL, [
    '-c',
    `tar -C '${project}' ${words.join(' ')} -cf - . | tar -C '${target}' --no-same-owner -xf -`,
  ])
}

function build(scratch: string, text: string): { stage: Stage; entry: string; health: string } {
  const stages = new Map<string, Stage>()
  let stage: Stage | null = null
  let health = ''
  const entry: string[] = []
  for (const { word, rest } of stepsOf(text)) {
    process.stdout.write(`${word} ${rest.slice(0, 100)}\n`)
    if (word === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? `stage${stages.size}`
      const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/root' }
      stage = { name, root: openRoot(scratch, name), env, folder: '/', user: 'root' }
      stages.set(name, stage)
      continue
    }
    if (stage === null) throw new Error('the first instruction must be FROM')
    if (word === 'WORKDIR') {
      stage.folder = rest
      mkdirSync(join(stage.root, rest), { recursive: true })
    } else if (word === 'COPY') copy(stage, stages, rest)
    else if (word === 'RUN') run(...inside(stage, rest))
    else if (word === 'USER') {
      stage.user = rest
      stage.env['HOME'] = run('chroot', [stage.root, SHELL, '-c', `echo ~${rest}`]).trim()
    } else if (word === 'ENV')
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name!] = value!
    else if (word === 'HEALTHCHECK') health = /CMD (.*)$/.exec(rest)![1]!
    else if (word === 'ENTRYPOINT' || word === 'CMD') entry.push(...(JSON.parse(rest) as string[]))
    else if (word !== 'VOLUME' && word !== 'EXPOSE') throw new Error(`${word} is not known here`)
  }
  return { stage: stage!, entry: entry.join(' '), health }
}

async function tryIt({ stage, entry, health }: ReturnType<typeof build>): Promise<void> {
  const [sizeMb] = run(...inside(stage, 'du -sm node_modules')).split('\t')
  process.stdout.write(`node_modules: ${sizeMb} MB\n`)
  if (Number(sizeMb) > MOST_MB) throw new Error(`node_modules has more than ${MOST_MB} MB`)
  const port = 20_000 + (process.pid % 10_000)
  Object.assign(stage.env, { PORT: String(port), HOST: '127.0.0.1' })
  const [command, words] = inside(stage, `exec ${entry}`)
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const until = Date.now() + STARTED_WITHIN_MS
  const isHealthy = (): boolean => spawnSync(...inside(stage, health)).status === 0
  const keyIn = (): string | undefined => /ck_test_\w+/.exec(printed)?.[0]
  // The key is printed when it listens, which the check may see before.
  while (!isHealthy() || keyIn() === undefined) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`it never got healthy:\n${printed}`)
    await new Promise((done) => setTimeout(done, 500))
  }
  const answer = await fetch(`http://127.0.0.1:${port}/v1/paid/hash`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keyIn()! },
    body: '{"input":"hello"}',
  })
  process.stdout.write(`paid call: ${answer.status} ${await answer.text()}\n`)
  child.kill('SIGTERM')
  const code = await ended
  process.stdout.write(`ended with ${code}\n`)
  if (answer.status !== 200 || code !== 0) throw new Error('it did not work')
}

/** Runs itself again in a mount namespace, whose mounts end with it. */
function inOwnNamespace(): never {
  const words = ['--mount', process.execPath, import.meta.filename, 'unshared']
  process.exit(spawnSync('unshare', words, { stdio: 'inherit' }).status ?? 1)
}

if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/unshare')) {
  process.stderr.write('this needs Linux, root and unshare\n')
  process.exit(1)
}
if (process.argv[2] !== 'unshared') inOwnNamespace()
const scratch = mkdtempSync(join(process.env['TMPDIR'] ?? '/var/tmp', 'coinop-dockerfile-'))
// Not inside what it overlays, and gone with the namespace.
run('mount', ['-t', 'tmpfs', '-o', 'size=6g', 'tmpfs', scratch])
try {
  await tryIt(build(scratch, readFileSync(join(project, 'deploy/Dockerfile'), 'utf8')))
} finally {
  run('umount', ['-R', scratch])
  rmSync(scratch, { recursive: true, force: true })
}
process.stdout.write('the Dockerfile works\n')
