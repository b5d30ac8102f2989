/** What the pool and its child processes say to each other over IPC. */

export interface JobRequest {
  id: number
  url: string
  handler: string
  input: unknown
}

export type ChildMessage =
  /** The job has arrived: from now on, what ends the child is held against the job. */
  | { kind: 'begun'; id: number }
  | { kind: 'progress'; id: number; progress: unknown }
  | { kind: 'done'; id: number; value: unknown }
  /** With `isOutOfMemory` the child has no room left, be it the job's doing or its past's. */
  | { kind: 'failed'; id: number; message: string; isOutOfMemory: boolean }
  /** Something of an earlier job still lives in the child: it should not get another one. */
  | { kind: 'tainted' }
