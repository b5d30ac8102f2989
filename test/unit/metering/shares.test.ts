import { describe, expect, test } from 'vitest'
import { shareOf } from '../../../kernel/metering/shares.ts'

const from = (clientAddress: string) => ({ clientAddress })

describe('who a call counts for', () => {
  test('a key before a payer before an address', () => {
    expect(shareOf({ keyId: 'k1' }, 'x402:0xaa', from('192.0.2.1'))).toBe('key:k1')
    expect(shareOf(null, 'x402:0xaa', from('192.0.2.1'))).toBe('payer:x402:0xaa')
    expect(shareOf(null, null, from('192.0.2.1'))).toBe('address:192.0.2.1')
  })

  test('the address is not looked up for a key or a payer', () => {
    const caller = {
      get clientAddress(): string {
        throw new Error('looked up')
      },
    }
    expect(shareOf({ keyId: 'k1' }, null, caller)).toBe('key:k1')
    expect(shareOf(null, 'x402:0xaa', caller)).toBe('payer:x402:0xaa')
  })

  test.each([
    ['2001:db8:0:1::1', 'address:2001:db8:0:1::/64'],
    ['2001:DB8:0:1:ffff::9', 'address:2001:db8:0:1::/64'],
    ['::ffff:192.0.2.1', 'address:192.0.2.1'],
    ['::ffff:c000:201', 'address:192.0.2.1'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['unknown', 'address:unknown'],
  ])('the address %s', (address, share) => {
    expect(shareOf(null, null, from(address))).toBe(share)
  })
})
