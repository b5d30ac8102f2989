/** What the thread of signing-thread.ts runs: it answers each list of texts by their signatures. */
import { parentPort, workerData } from 'node:worker_threads'
import { keyOf } from './signer.ts'

const key = keyOf(workerData as Uint8Array)
parentPort!.on('message', (texts: readonly string[]) => {
  parentPort!.postMessage(texts.map(key.sign), [])
})
parentPort!.postMessage('ready', [])
