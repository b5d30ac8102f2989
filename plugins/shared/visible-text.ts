/** Texts of others as an operator reads them: nothing in them is unseen, or turns what follows around. */

/** Control characters (but blanks), tags, halves of characters, bidirectional controls. */
const UNSEEN =
  /(?![\t\n\r])\p{Cc}|[\p{Cs}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{e0000}-\u{e007f}]/gu

export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) !== -1
}

/** The text with the escapes of YAML's double-quoted texts in the place of what nobody sees. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    const digits = character.codePointAt(0)!.toString(16)
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  })
}
