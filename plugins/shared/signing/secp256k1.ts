/**
 * libsecp256k1, whichever build of it this machine can load: the native addon of `secp256k1`, which
 * ships prebuilt for Linux x64 (glibc and musl), macOS arm64 and Windows x64 and recovers a key in 55 µs,
 * or the WebAssembly of `tiny-secp256k1`, which runs everywhere and takes 250.
 */
import { createRequire } from 'node:module'

/**
 * The uncompressed public key (65 bytes) that made the compact signature (r and s, 64 bytes) over the
 * digest; throws or answers null where there is none.
 */
export type Recover = (
  digest: Uint8Array,
  signature: Uint8Array,
  parity: 0 | 1,
) => Uint8Array | null

/** What is used of the addon, which brings no types. */
interface Addon {
  ecdsaRecover(
    signature: Uint8Array,
    recoveryId: number,
    digest: Uint8Array,
    compressed: boolean,
  ): Uint8Array
}

/** By the native addon; null where the package or a build of it for this machine is missing. */
export function nativeRecover(): Recover | null {
  try {
    // Not the package's main file: that one falls back to a library in plain JavaScript.
    const addon = createRequire(import.meta.url)('secp256k1/bindings.js') as Addon
    return (digest, signature, parity) => addon.ecdsaRecover(signature, parity, digest, false)
  } catch {
    return null
  }
}

/** By WebAssembly: 1.2 MB to load. */
export async function wasmRecover(): Promise<Recover> {
  const { recover } = await import('tiny-secp256k1')
  return (digest, signature, parity) => recover(digest, signature, parity, false)
}
