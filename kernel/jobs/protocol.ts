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
  | { kind: 'failed'; id: number; message: string }
  /** Something of an earlier job still lives in the child: it should not get another one. */
  | { kind: 'tainted' }
