/**
 * The hard memory limit of a child (RLIMIT_DATA), the second line behind the polled one for when the
 * gateway is too busy to poll. It counts virtual memory, and the runtime reserves gigabytes that it
 * never touches, how many depends on the limit that it starts under. So a child starts under a
 * moderate one and then sets its own: what it holds at rest plus what a job may take.
 *
 * Nothing of `#kernel` is imported here: the child would load all of it at its start.
 */
import { readFileSync } from 'node:fs'
import { dlopen, FFIType } from 'bun:ffi'

const KIB = 1024
const MIB = 1024 * KIB
/** A job's largest limit, 1 GiB, as much as the allocator reserves in one step, and some room. */
const JOB_MIB = 2560
/** Linux's number of RLIMIT_DATA. */
const RLIMIT_DATA = 2
const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

/** Bytes of private writable memory that this process has reserved; null where nobody says. */
function reservedBytes(): number | null {
  const kib = Number(/VmData:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  return Number.isFinite(kib) ? kib * KIB : null
}

function setDataLimit(bytes: number): boolean {
  const limit = BigUint64Array.of(BigInt(bytes), BigInt(bytes))
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, {
        setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
      })
      return symbols.setrlimit(RLIMIT_DATA, limit) === 0
    } catch {
      // Not the C library of this machine: the next name.
    }
  }
  return false
}

/** Limits this process to what it holds now and what a job may take; false where that fails. */
export function limitOwnData(): boolean {
  if (process.platform !== 'linux') return false
  const reserved = reservedBytes()
  return reserved !== null && setDataLimit(reserved + JOB_MIB * MIB)
}

/** Whether an error says that memory could not be had, rather than what is wrong with the input. */
export function isAllocationFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === 'ENOMEM') return true
  return /^out of memory|(?:could not|cannot|failed to) allocate|allocation failed|bad_alloc/i.test(
    error.message,
  )
}
