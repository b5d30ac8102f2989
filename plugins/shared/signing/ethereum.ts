/**
 * Ethereum's hash, and who made a signature on secp256k1, as its ecrecover says it: by whichever build of
 * libsecp256k1 this machine can load, the native addon of `secp256k1`, which ships prebuilt for Linux x64
 * (glibc and musl), macOS arm64 and Windows x64 and recovers a key in 55 µs, or the WebAssembly of
 * `tiny-secp256k1`, which runs everywhere and takes 250.
 */
import { createKeccak, type IHasher } from 'hash-wasm'
import { keccak256 as plainKeccak256, type Hex, type Address } from 'viem'
import { createRequire } from 'node:module'

/**
 * WebAssembly: 1.3 µs for a short text where viem's own takes 7, and every signed payment is hashed four
 * times. Null for the moment that it takes to compile.
 */
let hasher: IHasher | null = null
void createKeccak(256).then((compiled) => (hasher = compiled))

/**
 * keccak256 of `bytes` (Ethereum's, which is not SHA3-256) as 0x and 64 hex digits. For what is hashed
 * once, viem's does as well.
 */
export function keccak256(bytes: Uint8Array): Hex {
  if (hasher === null) return plainKeccak256(bytes)
  return `0x${hasher.init().update(bytes).digest('hex')}`
}

/** Half of the order of secp256k1: contracts refuse the mirrored form of a signature. */
const MAX_S = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
/** The last byte of a signature, as 27 or 28 or as the bare parity. */
const PARITY: Readonly<Record<string, 0 | 1>> = { '00': 0, '01': 1, '1b': 0, '1c': 1 }

/** Loaded when the first signature comes. */
let library: Promise<Recover> | null = null

async function load(): Promise<Recover> {
  return nativeRecover() ?? wasmRecover()
}

/** The address that made a 65-byte signature over `digest`, lower case; null when there is none. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | null> {
  return recoverBy(await (library ??= load()), digest, signature)
}

/** The same by a library of the caller's choice. */
export function recoverBy(recover: Recover, digest: Hex, signature: Hex): Address | null {
  if (signature.length !== 132) return null
  const parity = PARITY[signature.slice(130).toLowerCase()]
  if (parity === undefined || signature.slice(66, 130).toLowerCase() > MAX_S) return null
  try {
    const key = recover(bytesOf(digest), bytesOf(signature.slice(0, 130)), parity)
    // An address is the end of the hash of the key without its leading 0x04.
    return key && `0x${keccak256(key.subarray(1)).slice(26)}`
  } catch {
    return null
  }
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

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

/** EIP-712: what is signed for the hash of a struct under a domain separator. */
export function signedMessage(separator: Hex, structHash: Hex): Hex {
  const message = Buffer.alloc(2 + 64)
  message.write('1901', 0, 'hex')
  message.write(separator.slice(2), 2, 'hex')
  message.write(structHash.slice(2), 34, 'hex')
  return keccak256(message)
}
