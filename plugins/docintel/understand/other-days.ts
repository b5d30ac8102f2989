/** Days beside the day of issue: when it is due, when it was delivered; and the time of day. */
import { capitals } from '../lexicon/fold.ts'
import type { DocumentText } from '../model/document.ts'
import { findDates } from './dates.ts'
import { labelsOf, type Scored } from './issued-at.ts'

const DUE =
  /\b(?:DUE(?: DATE| ON| BY)?|DATE DUE|PAYABLE (?:BY|UNTIL|ON)|PAY(?:MENT)? (?:BY|DUE)|FALLIG(?: AM| BIS)?|FALLIGKEIT(?:SDATUM)?|ZAHLBAR BIS(?: ZUM)?|ZAHLUNGSZIEL|ZAHLUNGSFRIST|ECHEANCE|DATE D ECHEANCE|A (?:PAYER|REGLER) AVANT LE|SCADENZA|DATA SCADENZA|VENCIMIENTO|FECHA (?:DE )?VENCIMIENTO|VENCIMENTO|DATA DE VENCIMENTO|VERVALDATUM|VERVALDAG|TE BETALEN (?:VOOR|UITERLIJK)|TERMIN PLATNOSCI|DATUM SPLATNOSTI|SPLATNOST|FIZETESI HATARIDO|FORFALL(?:ODATUM|ODAG|SDATO|SDAG)?|FORFALDSDATO|BETALINGSFRIST|ERAPAIVA|SON ODEME|(?:BE)?ZAHLBAR (?:BIS|AM)|ZU ZAHLEN BIS|VERSCHULDIGD(?: OP)?|BETALEN (?:VOOR|OP|UITERLIJK)|BETALINGSDATO|BETALNINGSDATUM|BETALAS SENAST|SENEST|FORFALLER|FORFALDER|ESEDEKESSEG|ESEDEKES|SPLATNE?A?(?: DNE)?|PLATNOSC|ZAPLATIT DO|FECHA LIMITE|LIMITE DE PAGO|DATA LIMITE|PAGAR ATE|A PAGAR ENTRO|ENTRO IL|ECHEANCE LE|PAYABLE LE|MAKSETAHTAEG|MAKSUPAIVA|DATUM SPLATNOSTI)\b/
const DELIVERED =
  /\b(?:DELIVERY DATE|DATE OF (?:DELIVERY|SUPPLY)|DELIVERED(?: ON)?|SUPPLY DATE|LIEFERDATUM|LIEFERTAG|LEISTUNGSDATUM|LIEFER UND LEISTUNGSDATUM|LEISTUNGS UND LIEFERDATUM|LIEFERUNG AM|GELIEFERT AM|DATE DE (?:LIVRAISON|LA LIVRAISON)|LIVRE LE|DATE DE PRESTATION|DATA (?:DI )?CONSEGNA|FECHA DE ENTREGA|DATA DE ENTREGA|LEVERDATUM|LEVERINGSDATUM|LEVERANSDATUM|LEVERINGSDATO|DATA (?:DOSTAWY|SPRZEDAZY)|DATUM (?:DODANI|USKUTECNENI)|TELJESITES|TOIMITUSPAIVA)\b/
const LABEL_WORDS = 6

const withoutSpaces = new Map<RegExp, RegExp>()

/** The same labels as programs and OCR print them that lose spaces ("Zahlbarbis"). */
function glued(label: RegExp): RegExp {
  const known = withoutSpaces.get(label)
  if (known) return known
  const made = new RegExp(label.source.replaceAll(' ', ''))
  withoutSpaces.set(label, made)
  return made
}

/** The first day that stands right of or under one of these labels. */
function dayBy(document: DocumentText, label: RegExp, other: RegExp): Scored<string> | null {
  for (const date of findDates(document)) {
    const { own, above, whole } = labelsOf(document, date)
    const near = own.split(' ').slice(-LABEL_WORDS).join(' ')
    if (label.test(near) && !other.test(near)) return { value: date.iso, confidence: 0.9 }
    if (glued(label).test(near)) return { value: date.iso, confidence: 0.85 }
    if ((near === '' || whole) && label.test(above)) return { value: date.iso, confidence: 0.8 }
  }
  return null
}

export const findDueDate = (document: DocumentText): Scored<string> | null =>
  dayBy(document, DUE, DELIVERED)

export const findDeliveryDate = (document: DocumentText): Scored<string> | null =>
  dayBy(document, DELIVERED, DUE)

const CLOCK =
  /(?<![\d:.,])([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?(?![\d.,:%]) ?(AM|PM|A\.M\.|P\.M\.)?/
const HOURS =
  /\b(?:OPEN|OPENING|HOURS|OFFNUNGSZEITEN|GEOFFNET|HORAIRES|OUVERT|ORARI|HORARIO|OPENINGSTIJDEN)\b/

/** "18:22" beside the day of issue, or under a word for the time; HH:MM of 24 hours. */
export function findTime(document: DocumentText, day: string | null): Scored<string> | null {
  if (day === null) return null
  const dates = findDates(document).filter((d) => d.iso === day)
  for (const date of dates) {
    const row = document.rows[date.row]!
    const rest = `${row.text.slice(0, date.start)}  ${row.text.slice(date.end)}`
    const found = clockIn(rest, true)
    if (found) return { value: found, confidence: 0.93 }
  }
  for (const row of document.rows) {
    const upper = capitals(row.text)
    if (HOURS.test(upper)) continue
    if (!/\b(?:TIME|UHRZEIT|ZEIT|HEURE|HORA|ORA|TIJD|KLOKKA|KL|MASA|CZAS|CAS|IDO)\b/.test(upper))
      continue
    const found = clockIn(row.text, false)
    if (found) return { value: found, confidence: 0.88 }
  }
  return null
}

/** A point may part hours and minutes only where a day stands in the row: "2.40" is an amount. */
function clockIn(text: string, besideDay: boolean): string | null {
  const match = CLOCK.exec(capitals(text))
  if (!match || (match[0].includes('.') && !/[AP]\.M/.test(match[0]) && !besideDay)) return null
  if (/\.\d\d/.test(match[0])) return null
  const half = match[3]?.replaceAll('.', '')
  const hours = Number(match[1])
  const full = half === 'PM' && hours < 12 ? hours + 12 : half === 'AM' && hours === 12 ? 0 : hours
  return `${String(full).padStart(2, '0')}:${match[2]}`
}
