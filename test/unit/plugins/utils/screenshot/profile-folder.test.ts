import { expect, it } from 'vitest'
import { profileFolder } from '../../../../../plugins/utils/screenshot/browser/profile-folder.ts'

const mac = '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'
const deep = `/tmp/${'x'.repeat(60)}`

it.each<[string, NodeJS.Platform, string]>([
  ['/tmp', 'linux', '/tmp'],
  ['/var/tmp', 'linux', '/var/tmp'],
  [deep, 'linux', '/tmp'],
  [mac, 'darwin', '/tmp'],
  [deep, 'win32', deep],
])('profiles of browsers with %s on %s lie in %s', (temporary, platform, expected) => {
  expect(profileFolder(temporary, platform)).toBe(expected)
})

it('leaves room for the socket that a browser makes below its profile', () => {
  const folders = Array.from({ length: 60 }, (_, n) => `/tmp/${'x'.repeat(n)}`)
  const longest = folders.filter((folder) => profileFolder(folder, 'linux') === folder).at(-1)!
  const socket = `${longest}/coinop-browser-4194304-XXXXXX/org.chromium.Chromium.XXXXXX/SingletonSocket`
  expect(socket).toHaveLength(107)
})
