/**
 * Characters of Knuth's Computer Modern fonts when a file says nothing about their encoding: pdf.js
 * then takes the code for the character, which is wrong for ligatures, braces and signs. The
 * tables are TeX's OT1, OML and OMS encodings (The TeXbook, appendix F), as far as they differ.
 */
const OT1_LOW = 'ΓΔΘΛΞΠΣΥΦΨΩ\ufb00\ufb01\ufb02\ufb03\ufb04ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ'
const OT1: Readonly<Record<number, string>> = {
  ...Object.fromEntries([...OT1_LOW].map((char, code) => [code, char])),
  0x22: '”',
  0x27: '’',
  0x3c: '¡',
  0x3e: '¿',
  0x5c: '“',
  0x5e: 'ˆ',
  0x5f: '˙',
  0x60: '‘',
  0x7b: '–',
  0x7c: '—',
  0x7d: '˝',
  0x7e: '˜',
  0x7f: '¨',
}
const OML_LOW = 'ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωε\u03d1ϖϱςφ'
const OML: Readonly<Record<number, string>> = {
  ...Object.fromEntries([...OML_LOW].map((char, code) => [code, char])),
  0x3a: '.',
  0x3b: ',',
  0x3c: '<',
  0x3d: '/',
  0x3e: '>',
  0x40: '∂',
  0x60: 'ℓ',
}
const OMS_LOW = '−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△'
const OMS: Readonly<Record<number, string>> = {
  ...Object.fromEntries([...OMS_LOW].map((char, code) => [code, char])),
  0x38: '∀',
  0x39: '∃',
  0x3a: '¬',
  0x3b: '∅',
  0x66: '{',
  0x67: '}',
  0x68: '⟨',
  0x69: '⟩',
  0x6a: '|',
  0x6b: '∥',
}

const ROMAN = /^(?:[A-Z]{6}\+)?CM(?:R|BX|B|TI|BXTI|SL|BXSL|SS|SSI|SSBX|CSC|DUNH|U)\d+$/
const ITALIC = /^(?:[A-Z]{6}\+)?CMM(?:I|IB)\d+$/
const SYMBOL = /^(?:[A-Z]{6}\+)?CM(?:SY|BSY)\d+$/

/** Characters by code of a font of this name; null when it is no Computer Modern font. */
export function texEncoding(fontName: string): Readonly<Record<number, string>> | null {
  if (ROMAN.test(fontName)) return OT1
  if (ITALIC.test(fontName)) return OML
  return SYMBOL.test(fontName) ? OMS : null
}
