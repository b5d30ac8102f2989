/** Labels that OCR damaged are read as what they were; what is whole stays. */
import { describe, expect, it } from 'vitest'
import { wholeLabel } from '../../../../plugins/docintel/understand/prepared/damaged-labels.ts'

describe('labels that OCR damaged', () => {
  it.each([
    ['Factuumummer:', 'Factuurnummer:'],
    ['Involce date', 'Invoice date'],
    ['Vervaidatum', 'Vervaldatum'],
    ['Zahlbarbis: 19.05.2024', 'Zahlbar bis: 19.05.2024'],
    ['Totaalexcl.btw', 'Totaal excl. btw'],
    ['Fatura n.o', 'Fatura n.o'],
    ['nvoice', 'Invoice'],
    ['nvoice date: 7 August', 'Invoice date: 7 August'],
    ['Gesastbetrag EUR', 'Gesamtbetrag EUR'],
  ])('%s is %s', (read, label) => {
    expect(wholeLabel(read, false) ?? read).toBe(label)
  })

  it.each([
    ['Datos de dente', 'Datos del cliente'],
    ['Clente', 'Cliente'],
    ['Facunx aan', 'Factuur aan'],
    ['Factuuraan', 'Factuur aan'],
  ])('%s over a name is %s', (read, label) => {
    expect(wholeLabel(read, true)).toBe(label)
  })

  it.each([
    'Cliente',
    'Clementine',
    'Factuurnummer',
    'Fattura n.',
    'Auftragnehmer',
    'Rechnung 12',
    'Rechnung F41294',
    'Invoice N°: 88032',
    'Montante',
    'Conditions de paiement',
  ])('%s is what it says', (read) => {
    expect(wholeLabel(read, true)).toBeNull()
  })
})
