/** Telephone numbers that stand alone in their line, without a word. */

/** Digits and the marks of a telephone number, nothing else. */
const DIGITS = /^\(?\+?\d[\d\s().+/-]{6,}$/
/** "+49-5321-85257480", "929 011 126": two groups at least, the second may stand in brackets. */
const GROUPS = /\d[ )/.-]+\(?\d/
const [LENGTH_LEAST, LENGTH_MOST] = [9, 22]

/** Whether a line of an address can be a telephone number: its digits alone. */
export const isDigitsAlone = (line: string): boolean => DIGITS.test(line.trim())

/** Whether a line is a telephone number for sure: in groups, and not too long. */
export function isTelephone(line: string): boolean {
  const text = line.trim()
  const isLong = text.length >= LENGTH_LEAST && text.length <= LENGTH_MOST
  return isDigitsAlone(text) && isLong && /\d$/.test(text) && GROUPS.test(text)
}
