/** Month names and their short forms in the languages that labels are read in, accents folded. */

const NAMES: readonly (readonly string[])[] = [
  [
    'JANUARY',
    'JAN',
    'JANUAR',
    'JANNER',
    'JAENNER',
    'JANVIER',
    'JANV',
    'JANUARI',
    'ENERO',
    'ENE',
    'GENNAIO',
    'GEN',
    'JANEIRO',
    'JANURI',
    'JANUARY.',
  ],
  [
    'FEBRUARY',
    'FEB',
    'FEBRUAR',
    'FEVRIER',
    'FEVR',
    'FEV',
    'FEBRUARI',
    'FEBRERO',
    'FEBBRAIO',
    'FEBB',
    'FEVEREIRO',
  ],
  [
    'MARCH',
    'MAR',
    'MARZ',
    'MAERZ',
    'MRZ',
    'MARS',
    'MAART',
    'MRT',
    'MARZO',
    'MARCO',
    'MACHI',
    'MAC',
  ],
  ['APRIL', 'APR', 'AVRIL', 'AVR', 'ABRIL', 'ABR', 'APRILE', 'APRILI'],
  ['MAY', 'MAI', 'MEI', 'MAYO', 'MAGGIO', 'MAG', 'MAIO'],
  ['JUNE', 'JUN', 'JUNI', 'JUIN', 'JUNIO', 'GIUGNO', 'GIU', 'JUNHO'],
  ['JULY', 'JUL', 'JULI', 'JUILLET', 'JUIL', 'JULIO', 'LUGLIO', 'LUG', 'JULHO', 'JULAI'],
  ['AUGUST', 'AUG', 'AOUT', 'AUGUSTUS', 'AGOSTO', 'AGO', 'AGOSTI', 'OGOS', 'AGS'],
  [
    'SEPTEMBER',
    'SEP',
    'SEPT',
    'SEPTEMBRE',
    'SEPTIEMBRE',
    'SETTEMBRE',
    'SET',
    'SETEMBRO',
    'SEPTEMBA',
  ],
  [
    'OCTOBER',
    'OCT',
    'OKTOBER',
    'OKT',
    'OCTOBRE',
    'OCTUBRE',
    'OTTOBRE',
    'OTT',
    'OUTUBRO',
    'OUT',
    'OKTOBA',
    'OKTOBER',
  ],
  ['NOVEMBER', 'NOV', 'NOVEMBRE', 'NOVIEMBRE', 'NOVEMBRO', 'NOVEMBA'],
  [
    'DECEMBER',
    'DEC',
    'DEZEMBER',
    'DEZ',
    'DECEMBRE',
    'DICIEMBRE',
    'DIC',
    'DICEMBRE',
    'DEZEMBRO',
    'DESEMBA',
    'DES',
    'DIS',
  ],
]
const MONTHS = new Map<string, number>()
for (const [index, names] of NAMES.entries()) for (const name of names) MONTHS.set(name, index + 1)

/** 1..12 of a folded month name (capitals, no accents), else null. */
export function monthOfName(name: string): number | null {
  return MONTHS.get(name) ?? null
}

/** Alternatives for a regular expression over folded text, longest first. */
export const MONTH_SOURCE = [...MONTHS.keys()]
  .filter((name) => /^[A-Z]+$/.test(name))
  .toSorted((a, b) => b.length - a.length)
  .join('|')
