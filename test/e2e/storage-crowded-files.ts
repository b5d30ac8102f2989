/** Starts a watchdog of DATA_DIR (its argument) while no file can be opened, and frees files then. */
import { closeSync, openSync } from 'node:fs'
import type { Place } from '../../host/embedded-postgres/place.ts'
import { startWatchdog } from '../../host/embedded-postgres/watchdog.ts'

const dataDir = process.argv[2]!
const opened: number[] = []
try {
  for (;;) opened.push(openSync('/dev/null', 'r'))
} catch {
  // The limit of files is reached.
}
const watchdog = startWatchdog(dataDir, { socketDir: dataDir } as Place, 0)
watchdog.watch({ pid: 2 ** 30 }, dataDir)
await Bun.sleep(0)
for (const file of opened) closeSync(file)
console.log('free')
await Bun.stdin.text()
watchdog.end('closed')
