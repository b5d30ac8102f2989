/** How addresses look in many countries: streets, postcodes, places. All on capitals. */
import { otherAddressScore } from './other-scripts.ts'

const STATES =
  '(?:SELANGOR|JOHOR|KEDAH|KELANTAN|PAHANG|PERAK|TERENGGANU) D\\.? ?[A-Z]\\.?|JOHOR|KEDAH|KELANTAN|MELAKA|MALACCA|NEGERI SEMBILAN|N\\.? ?SEMBILAN|N\\.?S\\.?D\\.?K|PAHANG|PERAK|PERLIS|PULAU PINANG|P\\.? ?PINANG|PENANG|SABAH|SARAWAK|SELANGOR|SELANGOR DARUL EHSAN|S\\.?D\\.?E|SEL|TERENGGANU|KUALA LUMPUR|K\\.? ?LUMPUR|W\\.?P\\.? ?KUALA LUMPUR|WILAYAH PERSEKUTUAN|PUTRAJAYA|LABUAN|DARUL (?:EHSAN|TAKZIM|RIDZUAN|KHUSUS|AMAN|MAKMUR)|JOHOR BAHRU|JOHOR BHARU|PETALING JAYA|SHAH ALAM|KLANG|SUBANG JAYA|PUCHONG|CHERAS|IPOH|KAJANG|SEREMBAN|AMPANG|RAWANG|SKUDAI|SETAPAK|KEPONG|CYBERJAYA|BANGI|SEMENYIH|BALAKONG|SERI KEMBANGAN|SRI KEMBANGAN|SUNGAI BULOH|NILAI|MASAI|PASIR GUDANG|BATU PAHAT|MUAR|KLUANG|BUTTERWORTH|GEORGETOWN|GEORGE TOWN|MALAYSIA'
const CITIES =
  'NAIROBI|MOMBASA|KISUMU|NAKURU|ELDORET|THIKA|KENYA|KAMPALA|ENTEBBE|UGANDA|DAR ES SALAAM|ARUSHA|MWANZA|DODOMA|ZANZIBAR|TANZANIA|LAGOS|ABUJA|IBADAN|PORT HARCOURT|KANO|NIGERIA|ACCRA|KUMASI|GHANA|KIGALI|RWANDA|LUSAKA|JOHANNESBURG|CAPE TOWN|DURBAN|PRETORIA|SANDTON|SOUTH AFRICA|SINGAPORE|LONDON|MANCHESTER|BIRMINGHAM|LEEDS|GLASGOW|EDINBURGH|BRISTOL|LIVERPOOL|DUBLIN|IRELAND|UNITED KINGDOM|SYDNEY|MELBOURNE|BRISBANE|PERTH|ADELAIDE|AUCKLAND|MUMBAI|DELHI|NEW DELHI|BANGALORE|BENGALURU|CHENNAI|HYDERABAD|PUNE|KOLKATA|GURGAON|GURUGRAM|NOIDA|INDIA|KARNATAKA|MAHARASHTRA|TAMIL NADU|BERLIN|HAMBURG|MUNCHEN|MUENCHEN|KOLN|FRANKFURT|STUTTGART|DUSSELDORF|LEIPZIG|DEUTSCHLAND|GERMANY|PARIS|LYON|MARSEILLE|TOULOUSE|BORDEAUX|LILLE|NANTES|FRANCE|AMSTERDAM|ROTTERDAM|UTRECHT|DEN HAAG|EINDHOVEN|NEDERLAND|NETHERLANDS|MADRID|BARCELONA|VALENCIA|SEVILLA|ESPANA|SPAIN|ROMA|MILANO|TORINO|NAPOLI|BOLOGNA|FIRENZE|ITALIA|ITALY|LISBOA|PORTO|COIMBRA|BRAGA|PORTUGAL|WIEN|ZURICH|GENEVE|BASEL|BRUXELLES|BRUSSELS|ANTWERPEN|NEW YORK|LOS ANGELES|CHICAGO|HOUSTON|SEATTLE|BOSTON|SAN FRANCISCO|TORONTO|VANCOUVER|MONTREAL|USA|UNITED STATES|CANADA|AUSTRALIA|HA NOI|HANOI|HO CHI MINH|JAKARTA|BANDUNG|SURABAYA|YOGYAKARTA|DENPASAR|MANILA|MAKATI|QUEZON CITY|TAGUIG|WARSZAWA|KRAKOW|GDANSK|WROCLAW|PRAHA|BRNO|BUDAPEST|STOCKHOLM|GOTEBORG|OSLO|KOBENHAVN|HELSINKI|DUBAI|RIYADH|JEDDAH|SAO PAULO|CURITIBA|BOGOTA|MEDELLIN|BUENOS AIRES|MONTERREY|GUADALAJARA|CDMX|KOWLOON'
/** Named places: a line that is only these belongs to an address that began above. */
export const PLACE = new RegExp(String.raw`(?:^|[\s,.(])(?:${STATES}|${CITIES})(?=$|[\s,.)])`)

const STREET =
  /(?:^|\s)\d+[A-Z]{0,2},? .{0,40} (?:ST|DR|CT|PL|LN|BLVD|TRAIL|TRL|WAY|WALK|CIRCLE|CIR|MEWS|GROVE|GARDENS|HILL|LINK)(?=$|[\s,.])|(?:^|[\s,.(/])(?:JALAN|JLN|JIN|JL|JALN|LINGKARAN|LENGKOK|LEBOH|SOLOK|TINGKAT|MEDAN|DATARAN|SEK|LORONG|LRG|PERSIARAN|LEBUH|LEBUHRAYA|TAMAN|TMN|BANDAR|BDR|KAMPUNG|KAMPONG|KG(?=\.? ?[A-Z\d])|KAW|KAWASAN|PERINDUSTRIAN|SEKSYEN|SEKSYE|DESA|MUKIM|PUSAT|PEKAN|BUKIT|PRECINCT|LOT|BLOCK|BLK|BLOK|UNIT|GROUND FLOOR|GRD FLR|FLOOR|FLR|LEVEL|TINGKAT|ARAS|WISMA|MENARA|KOMPLEKS|BANGUNAN|BATU \d|STREET|STR|ROAD|RD|AVENUE|AVE|AV|LANE|DRIVE|BLVD|BOULEVARD|HIGHWAY|HWY|SUITE|STE|P\.? ?O\.? ?BOX|PO BOX|PRIVATE BAG|SQUARE|BOULEVARD|CRESCENT|TERRACE|PARADE|HIGH ST|CLOSE|COURT|PKWY|PARKWAY|MALL|SHOPPING|PLAZA|TOWERS?|BUILDING|BLDG|ESTATE|PLOT|INDUSTRIAL AREA|INDUSTRIAL PARK|BUSINESS PARK|RUE|PLACE|CHEMIN|QUAI|IMPASSE|ALLEE|CEDEX|ROUTE|CALLE|CALLEJON|AVDA|AVENIDA|PASEO|POLIGONO|CARRETERA|CTRA|VIA|VIALE|PIAZZA|CORSO|LARGO|STRADA|RUA|TRAVESSA|PRACA|ESTRADA|URBANIZACAO|BARABARA|MTAA|S\.L\.P|NAGAR|MARG|SECTOR|COLONY|BAZAAR|CROSS|PLATZ|HAUS NR|BP \d+|C\/)(?=$|[\s,.:\d(/-])|(?:STRASSE|STR\.|GASSE|WEG|ALLEE|PLATZ|RING|STRAAT|LAAN|PLEIN|KADE|GRACHT|DAMM|UFER|GATAN|GATA|GATEN|VAGEN|VEIEN|VEJ|VEJEN|GADE|KATU|TIE|UTCA|UTJA|SOKAK|CADDESI)\.? ?\d+[A-Z]?(?=$|[\s,.-])|(?:^|[\s,.(])(?:MAH|MAHALLESI|CAD|CADDESI|SOK|SOKAK|BULVARI|BLV|UL|OS|DUONG|PHUONG|QUAN|NAMESTI|NAM|COL|COLONIA|CARRERA|CRA|KM \d+)\.?(?=$|[\s,:\d])/
/** House numbers as they open a line ("NO.53", "LOT 12", "12A, ", "221B Baker"). */
const HOUSE =
  /^(?:NO|N0|NR|LOT|#|UNIT|BLK|PLOT)?\.? ?:? ?\d{1,5}[A-Z]?(?:[-/&,. ]+(?:\d{1,5}[A-Z]?|[A-Z](?= )))* ?[,.]? ?(?:\d(?:ST|ND|RD|TH) FLOOR|[A-Z]{3})|^(?:NO|N0)\.? ?:? ?\d/
/** Postcodes beside a place name, per country. */
const POSTCODE =
  /(?:^|[\s,])(?:[A-Z]{1,2}-)?\d{5}(?:-\d{4})?[ ,]+[A-Z][A-Z. '-]{2,}|(?<![A-Z. '-])[A-Z. '-]{3,}[, ]+(?:[A-Z]{2}|[A-Z]{2,3}) \d{4,5}(?:-\d{4})?(?=$|\D)|(?:^|\W)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?=$|\W)|(?:^|[\s,])\d{4} ?[A-Z]{2}[ ,]+[A-Z]{3,}|(?:^|[\s,])\d{4}-\d{3}[ ,]+[A-Z]{3,}|(?:^|[\s,])\d{5}-\d{3}[ ,]+[A-Z]{3,}|, ?(?:\d{2}-\d{3}|\d{3} \d{2}) [A-Z]{3,}|(?:^|[\s,])(?:[A-Z]{1,2}-)?(?!20[0-4]\d)\d{4} (?!HRS|HOURS)[A-Z]{3,}|(?<![A-Z])[A-Z]{3,} ?-? ?\d{6}(?=$|\D)|(?:^|[\s,])\d{5}[,.]?$|(?:SINGAPORE|(?<![A-Z])S) ?\(?\d{6}\)?|[A-Z]\d[A-Z][ -]?\d[A-Z]\d/

/** Letters that OCR reads for digits, with the digits. */
const READ_AS: Readonly<Record<string, string>> = {
  O: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  B: '8',
}
const inDigits = (code: string): string => code.replaceAll(/[OILZSB]/g, (c) => READ_AS[c]!)
/** Digits of a code that OCR read as digits, at least. */
const DIGITS_LEAST = 3
/** A British postcode before its town, of which a digit was read as a letter: "SOO 1HN HOWE COURT". */
const BRITISH = /(?<![A-Z\d])([A-Z]{1,2})([\dOI]{1,2}) ([\dOIS])([A-Z]{2})(?= [A-Z]{3})/g

/** A Dutch postcode before its town: "1339 0P ANKE". */
const DUTCH = /(?<![A-Z\d])(\d{4}) ([A-Z][01]|[01][A-Z])(?= [A-Z]{3})/g

/** "811OO", "4I200", "Z3189": digits that OCR read as letters, where most of a postcode is still digits. */
const repairCodes = (upper: string): string =>
  upper
    .replaceAll(/(?<![\dA-Z])(?:[\dOILSBZ]{5,6}|[\dOIZ][\dOILSBZ]{3})(?![\dA-Z])/g, (code) =>
      code.replaceAll(/\D/g, '').length < DIGITS_LEAST ? code : inDigits(code),
    )
    .replaceAll(
      DUTCH,
      (_, number: string, letters: string) =>
        `${number} ${letters.replace('0', 'O').replace('1', 'I')}`,
    )
    .replaceAll(BRITISH, (whole, area: string, district: string, inward: string, rest: string) =>
      /\d/.test(district + inward)
        ? `${area}${inDigits(district)} ${inDigits(inward)}${rest}`
        : whole,
    )

const CITY_CODE = new RegExp(
  String.raw`(?:^|[\s,.(])(?:${CITIES})[ ,-]+(?:[A-Z]{2,3} )?(?!20[0-4]\d(?:\D|$))\d{4,6}(?=\W*$)`,
)
/** Lot and house numbers have five digits too. */
const LOT_NUMBER = /(?:LOT|NO|PT|P\.T|HSD|GM|UNIT|BOX)[.: ]*(?:PT|NO)?[.: ]*\d{4,6}/g

/** Whether a line carries the postcode of its place, which all but ends an address. */
export function hasPostcode(upper: string): boolean {
  const text = repairCodes(upper).replaceAll(LOT_NUMBER, ' ')
  // Four digits before a street are its house.
  const coded = STREET.test(text) ? text.replaceAll(/(?<!\d)\d{4} (?=[A-Z])/g, ' ') : text
  return POSTCODE.test(coded) || CITY_CODE.test(coded) || /(?:^|[\s,])\d{5}[,.]? [A-Z]/.test(text)
}

/** "Edmonton, AB", "Denver. CO" at the end of a line: a town with its province or state. */
const TOWN_STATE =
  /[A-Z]{3}[,.] ?(?:AB|BC|MB|NB|NL|NS|NT|ON|PEI|QC|SK|YT|AL|AK|AZ|AR|CA|CO|CT|DC|DE|FL|GA|HI|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY)\.?$/

/** 0 = no sign of an address; 1 = a place or house number; 2+ = street or postcode. */
export function addressScore(upper: string): number {
  let score = 0
  if (STREET.test(upper)) score += 2
  if (POSTCODE.test(repairCodes(upper)) || CITY_CODE.test(upper)) score += 2
  if (PLACE.test(upper) || TOWN_STATE.test(upper.trim())) score += 1
  if (HOUSE.test(upper)) score += 1
  return score + otherAddressScore(upper)
}
