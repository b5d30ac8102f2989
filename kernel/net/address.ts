/** Addresses and blocks of addresses, as text and as numbers. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** A BlockList of CIDRs (or single addresses); throws on anything else. */
export function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix, ...rest] = cidr.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const longest = family === 'ipv6' ? 128 : 32
    const bits = prefix === undefined ? longest : Number(prefix)
    const wellFormed = rest.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && bits <= longest
    if (!wellFormed || !(isIPv4(address) || isIPv6(address)))
      throw new RangeError(`Not a CIDR: ${cidr}`)
    list.addSubnet(address, bits, family)
  }
  return list
}

/** The block of a CIDR or a single address; null for any other text. */
export function parseRange(text: string): BlockList | null {
  try {
    return blockListOf([text])
  } catch {
    return null
  }
}

/** The eight 16-bit groups of a valid IPv6 address without zone id. */
export function ipv6Groups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = dotted
    ? `${dotted[1]}${(Number(dotted[2]) * 256 + Number(dotted[3])).toString(16)}:${(Number(dotted[4]) * 256 + Number(dotted[5])).toString(16)}`
    : address
  const [head = '', tail] = hex.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const left = groups(head)
  if (tail === undefined) return left
  const right = groups(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

export const dottedQuad = (high: number, low: number): string =>
  `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
