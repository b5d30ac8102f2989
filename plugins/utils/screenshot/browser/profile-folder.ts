/** Where the profiles of browsers lie. */
import { join } from 'node:path'

export const PROFILE = 'coinop-browser-'

/** As long as the name of a profile can be: a pid of Linux has seven digits at most. */
const LONGEST_PROFILE = `${PROFILE}4194304-XXXXXX`
/** What Chromium makes below the folder for temporary files; it dies where the path is too long. */
const SOCKET = 'org.chromium.Chromium.XXXXXX/SingletonSocket'
/** Bytes that fit into `sun_path` beside its end. */
const LONGEST_SOCKET_PATH = { linux: 107, other: 103 }

/**
 * The folder for profiles: `temporary`, or /tmp where Chromium's socket below a profile there would
 * have a longer path than sockets may have, as under the long TMPDIR of macOS.
 */
export function profileFolder(temporary: string, platform = process.platform): string {
  if (platform === 'win32') return temporary
  const socket = join(temporary, LONGEST_PROFILE, SOCKET)
  const longest = LONGEST_SOCKET_PATH[platform === 'linux' ? 'linux' : 'other']
  return Buffer.byteLength(socket) > longest ? '/tmp' : temporary
}
