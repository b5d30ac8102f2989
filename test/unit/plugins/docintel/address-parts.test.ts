/** Addresses of one line in their parts, or in none where their form does not tell. */
import { expect, it } from 'vitest'
import { addressParts } from '../../../../plugins/docintel/understand/parties/address-parts.ts'

it.each([
  ['Industrieweg 27 - 04109 Leipzig', 'Industrieweg 27', '04109', 'Leipzig'],
  [
    'Am Mühlbach 3, 79098 Freiburg im Breisgau, Deutschland',
    'Am Mühlbach 3',
    '79098',
    'Freiburg im Breisgau',
  ],
  ['45 avenue Jean Jaurès 31000 Toulouse', '45 avenue Jean Jaurès', '31000', 'Toulouse'],
  ['Kerkweg 34 3511 AB Utrecht', 'Kerkweg 34', '3511 AB', 'Utrecht'],
  ['ul. Lipowa 12 30-001 Kraków', 'ul. Lipowa 12', '30-001', 'Kraków'],
  ['Rua das Flores 30 3000-201 Coimbra', 'Rua das Flores 30', '3000-201', 'Coimbra'],
  ['Storgatan 11 791 71 Falun', 'Storgatan 11', '791 71', 'Falun'],
  ['14 Orchard Lane Exeter EX4 3PL', '14 Orchard Lane', 'EX4 3PL', 'Exeter'],
  ['Unit 3, Brook Park, Bristol BS1 4QA', 'Unit 3, Brook Park', 'BS1 4QA', 'Bristol'],
])('%s', (address, street, postcode, city) => {
  expect(addressParts(address, null)).toEqual({
    street,
    postcode,
    city,
    region: null,
    country: null,
  })
})

it.each([
  'Dorpsstraat 9 - 9711 EF Groningen Tandartspraktijk Smit Dorpsstraat 9 8011 CD Zwolle',
  'Summa inkl. moms SEK',
  'NO 12, JALAN MERDEKA 3, 43000 KAJANG, SELANGOR, TEL 03-8733',
  '500 Main Street',
  '1234 Main Street, Springfield',
  'Suite 4, 1234 Elm Road',
])('not: %s', (address) => {
  expect(addressParts(address, null)).toBeNull()
})

it('takes no house number for a postcode where postcodes stand last', () => {
  const address = '12345 Bay View, Springfield'
  expect(addressParts(address, 'US')).toBeNull()
})
