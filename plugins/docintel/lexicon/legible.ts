/** Words of names and addresses as they were printed, where OCR confused letters of like shape. */

/** Words that are worth telling apart; a word read wrong is one of these in all but one or two letters. */
const WORDS = [
  'SELANGOR',
  'SEMBILAN',
  'KELANTAN',
  'TERENGGANU',
  'PAHANG',
  'SARAWAK',
  'MELAKA',
  'PULAU',
  'PINANG',
  'PENANG',
  'JOHOR',
  'BAHRU',
  'KUALA',
  'LUMPUR',
  'MALAYSIA',
  'PETALING',
  'SUBANG',
  'SINGAPORE',
  'JALAN',
  'LORONG',
  'PERSIARAN',
  'LEBUH',
  'KAWASAN',
  'PERINDUSTRIAN',
  'TAMAN',
  'BANDAR',
  'KAMPUNG',
  'SEKSYEN',
  'TINGKAT',
  'GROUND',
  'FLOOR',
  'LEVEL',
  'BLOCK',
  'STREET',
  'AVENUE',
  'PLAZA',
  'SYARIKAT',
  'PERNIAGAAN',
  'PERUSAHAAN',
  'RESTORAN',
  'RESTAURANT',
  'PASARAYA',
  'KLINIK',
  'ENTERPRISE',
  'TRADING',
  'HARDWARE',
  'STATIONERY',
  'PHARMACY',
  'MARKETING',
  'SERVICES',
  'HOLDINGS',
  'BERHAD',
  'LIMITED',
  'COMPANY',
  'SUPERMARKET',
  'MARKET',
  'ELECTRICAL',
  'MACHINERY',
  'BAKERY',
  'INTERNATIONAL',
  'SUPPLIES',
  'RECEIPT',
  'INVOICE',
  'OFFICIAL',
  'EMAIL',
  'CASHIER',
] as const

/** Letters and digits that OCR takes for one another. */
const ALIKE = ['O0DQ', 'I1LT', 'EF', 'MN', 'HN', 'A4', 'B8', 'S5', 'UV', 'CG', 'G6', 'Z2', 'RP']
const alike = (a: string, b: string): boolean =>
  ALIKE.some((set) => set.includes(a) && set.includes(b))

const BY_LENGTH = new Map<number, string[]>()
for (const word of WORDS) BY_LENGTH.set(word.length, [...(BY_LENGTH.get(word.length) ?? []), word])

/** Slips that a word of this length may have. */
const slipsAllowed = (length: number): number => (length >= 8 ? 2 : 1)

function slips(read: string, meant: string): number {
  let count = 0
  for (let i = 0; i < meant.length; i++)
    if (read[i] !== meant[i]) {
      if (!alike(read[i]!, meant[i]!)) return Infinity
      count++
    }
  return count
}

const known = new Map<string, string>()

/** "SDN BND", "5DN 8HD": no other two words are meant. */
export const malaysianForm = (name: string): string =>
  name.replace(
    /(?<![A-Z\d])[S5][DO0]N(\.?[ .]?)(?:B[HN][DO0]|8[HN][DO0]|BDH|EHD)(?![A-Z\d])/,
    'SDN$1BHD',
  )

function wordAsMeant(word: string): string {
  const candidates = BY_LENGTH.get(word.length)
  if (!candidates) return word
  let meant = known.get(word)
  if (meant === undefined) {
    meant = candidates.find((c) => slips(word, c) <= slipsAllowed(c.length)) ?? word
    if (known.size > 5000) known.clear()
    known.set(word, meant)
  }
  return meant
}

/** The same text, as long, with damaged words put right: "5YARIKAT PERNIAGA4N", "KAWAS4N". For matching. */
export const legible = (upper: string): string =>
  malaysianForm(upper).replaceAll(/[A-Z\d]{3,}/g, (word) => wordAsMeant(word))
