/** Seller and buyer chosen together over the table of weights. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { explain } from '../../../../plugins/docintel/understand/explain.ts'
import type {
  PartyCandidate,
  PartyFacts,
} from '../../../../plugins/docintel/understand/parties/party-facts.ts'
import { assignRoles } from '../../../../plugins/docintel/understand/parties/party-roles.ts'
import { PARTY_WEIGHTS } from '../../../../plugins/docintel/understand/parties/party-weights.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const NOW = new Date(Date.UTC(2025, 0, 1))
const NOTHING: PartyFacts = {
  nameConfidence: 0,
  namePoints: 0,
  isLabelledBuyer: false,
  isOnSlip: false,
  isLabelledSeller: false,
  isAddressee: false,
  isDeliveredTo: false,
  isOnlyDelivery: false,
  isInTerms: false,
  isInFoot: false,
  isSignature: false,
  isDomain: false,
  isSender: false,
  isUnderSender: false,
  hasOwnData: false,
  hasTown: false,
  isPlainAddress: false,
  isOnlyAddress: false,
  hasAttention: false,
  hasCustomerNumber: false,
  isPerson: false,
  isUnderName: false,
  hasLegalForm: false,
  isTop: false,
  isRepeated: false,
  isDoubled: false,
  isContact: false,
  isSigner: false,
  isSignersFirm: false,
  isGoods: false,
  isStreet: false,
}
const candidate = (name: string, facts: Partial<PartyFacts>): PartyCandidate => ({
  name,
  spot: null,
  facts: { ...NOTHING, ...facts },
})
const namesOf = (...candidates: PartyCandidate[]): (string | null)[] => {
  const { seller, buyer } = assignRoles(candidates)
  return [seller?.candidate.name ?? null, buyer?.candidate.name ?? null]
}

describe('roles of parties', () => {
  it('leave whoever nothing speaks for without one', () => {
    expect(namesOf(candidate('A', { hasLegalForm: true }))).toEqual([null, null])
  })

  it('are never both of one party', () => {
    const both = candidate('A', { nameConfidence: 0.93, isLabelledSeller: true, hasTown: true })
    const [seller, buyer] = namesOf(both)
    expect(seller).toBe('A')
    expect(buyer).toBeNull()
  })

  it('stay empty between two that are as likely as each other', () => {
    const a = candidate('A', { nameConfidence: 0.6 })
    const b = candidate('B', { nameConfidence: 0.6 })
    expect(namesOf(a, b)[0]).toBeNull()
    // What speaks for one of them decides.
    expect(namesOf(a, candidate('B', { nameConfidence: 0.6, isInFoot: true }))[0]).toBe('B')
  })

  it('go together: an issuer known by its foot makes the other address the buyer', () => {
    const top = candidate('Top', {
      nameConfidence: 0.57,
      namePoints: 2,
      hasTown: true,
      isPlainAddress: true,
      isTop: true,
    })
    expect(namesOf(top)).toEqual(['Top', null])
    const foot = candidate('Foot', { isInFoot: true, hasLegalForm: true })
    expect(namesOf(top, foot)).toEqual(['Foot', 'Top'])
  })

  it('go to the name of a letterhead that is printed again above the address', () => {
    const facts = { nameConfidence: 0.5, hasTown: true, isPlainAddress: true, isTop: true }
    const window = candidate('B', { isAddressee: true, hasTown: true, isPlainAddress: true })
    expect(namesOf(candidate('A', facts), window)).toEqual([null, 'B'])
    expect(namesOf(candidate('A', { ...facts, isRepeated: true }), window)).toEqual(['A', 'B'])
  })

  it('are not given to a street between a name and a town', () => {
    const street = candidate('Sol 69', { nameConfidence: 0.75, namePoints: 3, isStreet: true })
    expect(namesOf(street)).toEqual([null, null])
  })

  it('have weights with names of their own', () => {
    const names = PARTY_WEIGHTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

const GOODS = [
  'Pos   Leistung            Menge   EP      Betrag',
  '1     Kalibrierung        12      48,00   576,00',
  'Rechnungsbetrag                           576,00',
]
const LETTER = [
  'Stadtwerke Ahlenberg',
  'Einkauf',
  'Postfach 11 40',
  '59227 Ahlenberg',
  '',
  'RECHNUNG 24-00918                 31.08.2024',
  'Zahlbar bis 14.09.2024',
  ...GOODS,
  '',
  'Kieselgrund Messtechnik GmbH    HRB 20418 AG Hamm       Sparkasse Hamm',
  'Am Wehr 9, 59065 Hamm           USt-IdNr. DE268117402   IBAN DE02 4105 0095 0000 1184 77',
].join('\n')

describe('parties of a letter', () => {
  it('are the name in the foot and the block above the title', () => {
    const read = understand(documentFromText(LETTER), { preferred: 'invoice', now: NOW })
    expect(read.merchant.name).toBe('Kieselgrund Messtechnik GmbH')
    expect(read.buyer?.name).toBe('Stadtwerke Ahlenberg')
  })

  it('are explained, with the number and the days', () => {
    const told = explain(documentFromText(LETTER), 'invoice', NOW)
    const first = (field: string) => told.find((one) => one.field === field)
    expect(first('merchant.name')?.because.map(({ rule }) => rule)).toContain(
      'in the foot with register, tax number or bank',
    )
    expect(first('buyer')?.value).toBe('Stadtwerke Ahlenberg')
    expect(first('document_id')?.value).toBe('24-00918')
    expect(first('issued_at')?.value).toBe('2024-08-31')
    expect(first('due_date')?.value).toBe('2024-09-14')
    for (const { points, because } of told)
      expect(because.reduce((sum, finding) => sum + finding.points, 0)).toBeCloseTo(points)
  })
})

describe('where goods are delivered', () => {
  it('is not the buyer beside one who is billed', () => {
    const text = [
      'Malhar Textiles              TAX INVOICE',
      '14, Ring Road, Surat 395002  Invoice No. 118',
      'Consignee (Ship to)',
      'Kaveri Depot',
      'Plot 9, Peenya, Bengaluru 560058',
      'Buyer (Bill to)',
      'Kaveri Garments Pvt Ltd',
      '22 MG Road, Bengaluru 560001',
      'Description     Qty   Rate    Amount',
      'Cotton voile    2     90.00   180.00',
      'Total                         180.00',
    ].join('\n')
    const read = understand(documentFromText(text), { preferred: 'invoice', now: NOW })
    expect(read.buyer?.name).toBe('Kaveri Garments Pvt Ltd')
  })
})

describe('two addresses side by side', () => {
  const lines = (right: string[]): string =>
    [
      'Invoice #: 8841          Created: 14 May 2024',
      '',
      `Orchard Joinery                    ${right[0]}`,
      `12 Mill Lane                       ${right[1]}`,
      `82588 North Brando                 ${right[2]}`,
      '',
      'Item                                        Price',
      'Oak shelf                                  120.00',
      'Total                                      120.00',
    ].join('\n')
  const partiesOf = (text: string): (string | null | undefined)[] => {
    const read = understand(documentFromText(text), { preferred: 'invoice', now: NOW })
    return [read.merchant.name, read.buyer?.name]
  }

  it('are of the issuer and, at the right, of a customer with somebody to write to', () => {
    const right = ['Harbour Books', 'Ada Brun', 'ada@example.com']
    expect(partiesOf(lines(right))).toEqual(['Orchard Joinery', 'Harbour Books'])
  })

  it('are of a customer printed with its own name for the person, and of an issuer with data', () => {
    const text = [
      'Faktura #22718           Dato: 19-08-2024',
      '',
      'Hedegaard Musik                    Strandens Energi',
      'Hedegaard Musik                    Havnegade 9',
      'Dalevej 283                        9275 Sundby',
      '6240 Liseleje                      post@strandens.example',
      '',
      'Beskrivelse                                 Total',
      'Bord                                       120,00',
      'I alt                                      120,00',
    ].join('\n')
    expect(partiesOf(text)).toEqual(['Strandens Energi', 'Hedegaard Musik'])
  })
})
