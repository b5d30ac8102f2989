/**
 * Formats of long texts. The expressions of typebox take the engine's stack for every character: of
 * some 100,000 they answer "no match" after 0.4 s, also to a valid `data:` URI. Importing this file
 * puts tests in their place that take long texts piece by piece.
 */
import { Format } from 'typebox/format'

/** Texts up to here are left to typebox, which decides them within a millisecond. */
const SHORT_CHARACTERS = 8192

/** RFC 3986: behind the authority all characters are of one kind, and `#` stands once. */
function isLongUri(text: string, isUri: (head: string) => boolean): boolean {
  // No half of an escape stands at its end.
  const head = text.slice(0, SHORT_CHARACTERS).replace(/%[^%]?$/, '')
  const rest = text.slice(head.length)
  if (/[^\w!$&'()*+,;=:@.~/?#%-]|%(?![0-9a-f]{2})/i.test(rest)) return false
  return text.indexOf('#') === text.lastIndexOf('#') && isUri(head)
}

const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: (text) => isLongUri(text, Format.IsUri),
  'uri-reference': (text) => isLongUri(text, Format.IsUriReference),
  'uri-template': (text) =>
    text
      .match(/\{[^{}]*\}|%[^]{2}|[^{}%]{1,4096}|[^]/g)!
      .every((piece) => piece.length <= SHORT_CHARACTERS && Format.IsUriTemplate(piece)),
  'json-pointer': (text) => text.startsWith('/') && !/~(?![01])/.test(text),
  'json-pointer-uri-fragment': (text) =>
    text.startsWith('#/') &&
    !/[^\w!$&'()*+,;=:@.~/%-]|%(?![0-9a-f]{2})|~(?![01])/i.test(text.slice(1)),
  // RFC 5321 has addresses of 254 characters at most.
  email: () => false,
  'idn-email': () => false,
}
for (const [name, isLong] of Object.entries(TESTS)) {
  const isShort = Format.Get(name)!
  Format.Set(name, (text) => (text.length <= SHORT_CHARACTERS ? isShort(text) : isLong(text)))
}
