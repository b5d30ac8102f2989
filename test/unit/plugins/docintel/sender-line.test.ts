/** The name in the small line of a sender, also where OCR lost its marks. */
import { expect, it } from 'vitest'
import { senderOf } from '../../../../plugins/docintel/understand/parties/sender-line.ts'

it.each([
  ['Muster Elektro - Hauptstr. 5 - 80331 Stadt', 'Muster Elektro'],
  ['Westgate Catering Ltd - 7 Station Road - Bristol BS1 4QA', 'Westgate Catering Ltd'],
  ['Auto-Serwis Nowak ul. Dworcowa 5/3 - 80-244 Gdansk', 'Auto-Serwis Nowak'],
  ['Arredi Ferrante S.r.l. Via Garibaldi 21 - 40121 Bologna', 'Arredi Ferrante S.r.l.'],
  ['Marlow & Pike LLP, Unit 3. Brook Park, Exeter EX4 3PL', 'Marlow & Pike LLP'],
])('%s', (line, name) => {
  expect(senderOf(line)).toBe(name)
})

it.each([
  'Lower Slaughter, Gloucestershire GL54 2HY',
  'Karl-Marx-Str. 5 - 10115 Berlin',
  'Avenue Foch 18, 69006 Lyon',
  'Payable within 14 days - after 30 days 5 % - see www.example.com',
])('%s names nobody', (line) => {
  expect(senderOf(line)).toBeNull()
})
