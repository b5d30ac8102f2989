/**
 * `npm run planted`: plants one bug after the other in a copy of the sources and shows that the short
 * suite finds each. `npm run planted -- --only NAME` plants one. The last line says how many were
 * found. Exit code 1: a bug was not found, or a check fails on sources without one.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PLANTS, planted, type Check, type Plant } from './plants.ts'

const root = resolve(import.meta.dirname, '../..')
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const onlyAt = process.argv.indexOf('--only')
const only = onlyAt < 0 ? null : (process.argv[onlyAt + 1] ?? '')
const plants = PLANTS.filter(({ name }) => only === null || name.includes(only))
const copy = copySources()
let isGood = plants.length > 0
let found = 0
try {
  const checks = new Map(
    plants.filter(({ patch }) => patch).map(({ check }) => [check.name, check]),
  )
  for (const check of checks.values()) {
    const clean = run(check)
    if (clean.status === 0) continue
    isGood = false
    say(`${check.name} fails without a planted bug:\n${clean.output.slice(-3000)}`)
  }
  for (const plant of plants) {
    const undo = plant.patch ? apply(plant.patch) : () => {}
    const { status, output } = run(plant.check)
    undo()
    const told = (text: string) => [plant.finds].flat().some((words) => text.includes(words))
    const isFound = status !== 0 && told(output)
    if (isFound) found++
    const line = output.split('\n').find(told) ?? 'nothing'
    say(
      `${isFound ? 'FOUND' : 'MISSED'} ${plant.name}: ${plant.check.name}: ${line.trim().slice(0, 140)}`,
    )
    if (!isFound) say(output.slice(-1500))
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
say(`found ${found} of ${plants.length}`)
process.exit(isGood && found === plants.length ? 0 : 1)

/** A copy of all that is tracked or would be, with the packages of the original. */
function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-planted-'))
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  // A checkout whose packages are a link lists the link itself.
  const files = listed.stdout.split('\n').filter((name) => name !== '' && name !== 'node_modules')
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Plants it; returns what takes it out again. */
function apply(patch: NonNullable<Plant['patch']>): () => void {
  const path = join(copy, patch.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, planted(patch, text))
  return () => writeFileSync(path, text)
}

function run({ command: [program, ...rest] }: Check): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program!, rest, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    timeout: 600_000,
  })
  return { status, output: `${stdout}\n${stderr}` }
}
