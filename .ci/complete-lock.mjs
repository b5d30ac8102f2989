// npm leaves optional platform packages out of package-lock.json when the registry it ran against
// does not carry them, and `npm ci` then calls the lock out of sync. This adds them by name and
// version, without an address: run it after every `npm install`. A platform that needs one gets it
// from its own registry.
import { readFileSync, writeFileSync } from 'node:fs'

const OS = ['darwin', 'linux', 'win32', 'freebsd', 'openharmony', 'android']
const CPU = {
  amd64: 'x64',
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const added = []
for (const [place, entry] of Object.entries(lock.packages)) {
  if (place === '') continue
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (hasPackage(place, name)) continue
    const platform = platformOf(name)
    if (!platform || !/^\d/.test(version)) continue
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev && { dev: true }),
      optional: true,
    }
    added.push(`${name}@${version}`)
  }
}
if (added.length > 0) {
  const root = lock.packages['']
  delete lock.packages['']
  lock.packages = {
    '': root,
    ...Object.fromEntries(
      Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
    ),
  }
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
}
process.stdout.write(`package-lock.json: ${added.length} platform packages added\n`)

function hasPackage(place, name) {
  return `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages
}

/** os, cpu and libc from the usual package names (`…-linux-x64-musl`); null when it is no such name. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  const os = words.find((word) => OS.includes(word))
  const cpu = words.find((word) => word in CPU)
  if (!os || !cpu) return null
  const last = words.at(-1)
  const libc = last.startsWith('musl')
    ? 'musl'
    : last.startsWith('gnu') && os === 'linux'
      ? 'glibc'
      : null
  return { cpu: [CPU[cpu]], ...(libc && { libc: [libc] }), os: [os] }
}
