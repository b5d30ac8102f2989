/**
 * The formats a draft may state, each as a test stricter than its RFC, so that every validator
 * accepts what we call by that name. A format is stated only when all values pass.
 */
import { Format } from 'typebox/format'

interface FormatTest {
  name: string
  test(value: string): boolean
}

/** In order of preference; at most one is ever true of a value. */
export const FORMATS: readonly FormatTest[] = [
  {
    name: 'date-time',
    test: (v) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(v) &&
      Format.IsDateTime(v),
  },
  { name: 'date', test: (v) => /^\d{4}-\d\d-\d\d$/.test(v) && Format.IsDate(v) },
  {
    name: 'time',
    test: (v) => /^\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(v) && Format.IsTime(v),
  },
  {
    name: 'uuid',
    test: (v) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(v),
  },
  {
    name: 'email',
    test: (v) =>
      v.length <= 254 &&
      /^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,63}$/.test(
        v,
      ) &&
      Format.IsEmail(v),
  },
  { name: 'ipv4', test: (v) => v.length <= 15 && Format.IsIPv4(v) },
  { name: 'ipv6', test: (v) => v.length <= 45 && v.includes(':') && Format.IsIPv6(v) },
  {
    name: 'uri',
    test: (v) =>
      v.length <= 8192 &&
      /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`\u0080-\uffff]+$/i.test(v) &&
      URL.canParse(v) &&
      Format.IsUri(v),
  },
]
