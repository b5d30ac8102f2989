/** Made-up sales for layouts of invoices: the same number gives the same sale on every machine. */
import type { SaleTruth } from '../others/sale.ts'
import { seeded } from '../random.ts'

export interface Line {
  name: string
  quantity: number
  unit: string
  price: number
  rate: number
  /** Per cent taken off this line. */
  off: number
  /** Net. */
  amount: number
}

export interface Rate {
  rate: number
  base: number
  tax: number
}

export interface Sale {
  seller: string
  sellerStreet: string
  sellerTown: string
  buyer: string
  buyerStreet: string
  buyerTown: string
  id: string
  /** Years, months and days; `due` is 14 days later. */
  date: Date
  due: Date
  lines: Line[]
  /** Sum of the lines. */
  goods: number
  /** Taken off all goods, and carriage, both before tax. */
  discount: number
  shipping: number
  rates: Rate[]
  net: number
  vat: number
  total: number
}

export interface Order {
  language: keyof typeof WORDS
  lines: number
  rates: readonly number[]
  /** The most that one costs, in hundredths. */
  priceMax?: number
  discountPercent?: number
  shipping?: number
  withLineDiscounts?: boolean
}

/** What a language sells, by whom and to whom. */
const WORDS = {
  de: {
    goods:
      'Beratung vor Ort|Holzschrauben 4x40|Montage Küche|Wartung Heizung|Druckpapier A4|Entwurf Faltblatt|Fensterdichtung|Kabelkanal grau|Anfahrt Werkstatt|Schaltschrank klein|Lektorat Handbuch|Bohrer Satz',
    units: 'Std|Stk|m',
    sellers: 'Holzbau Wernicke GmbH|Druckerei Althaus KG|Elektro Sommerfeld e.K.',
    buyers: 'Gemeinde Oberau|Kanzlei Friedmann|Autohaus Bracht GmbH',
    towns: '01067 Dresden|24103 Kiel|79098 Freiburg',
    streets: 'Lindenweg 4|Am Markt 17|Hafenstraße 9',
  },
  en: {
    goods:
      'Site survey|Oak shelving unit|Garden fencing panel|Logo design|Server maintenance|Copper pipe 15mm|Paint and sundries|Window cleaning|Training workshop|Delivery of gravel|Proof reading|Cable trunking',
    units: 'hrs|pcs|m',
    sellers: 'Harwood Joinery Ltd|Penrose Print Works|Castle Electrical Services Ltd',
    buyers: 'Millbrook Parish Council|Thornton and Reed LLP|Eastfield Motors',
    towns: 'York YO1 7HH|Exeter EX4 3SR|Leeds LS1 4DY',
    streets: '12 Mill Lane|4 Station Road|88 High Street',
  },
  fr: {
    goods:
      'Pose de parquet|Peinture façade|Étude technique|Tuyau cuivre 15|Maintenance serveur|Impression dépliants|Panneau de bois|Déplacement atelier|Nettoyage vitres|Formation bureautique|Câble réseau|Relecture rapport',
    units: 'h|u|m',
    sellers: 'Menuiserie Delorme SARL|Imprimerie du Canal SAS|Atelier Vasseur EURL',
    buyers: 'Mairie de Saint-Aubin|Cabinet Lemoine|Garage Tessier SA',
    towns: '35000 Rennes|69003 Lyon|59800 Lille',
    streets: '14 rue des Lilas|3 quai Voltaire|27 avenue Foch',
  },
  nl: {
    goods:
      'Schilderwerk kozijnen|Eiken plank|Adviesuren|Onderhoud ketel|Drukwerk folders|Ontwerp huisstijl|Kabelgoot grijs|Voorrijkosten|Ramen wassen|Cursus boekhouden',
    units: 'uur|st|m',
    sellers: 'Bakker Timmerwerken B.V.|Drukkerij De Haan|Van Loon Techniek B.V.',
    buyers: 'Gemeente Zuidwijk|Notariskantoor Smit|Garage Peters B.V.',
    towns: '3511 AB Utrecht|9711 LM Groningen|5611 EM Eindhoven',
    streets: 'Kerkstraat 12|Havenweg 3|Molenlaan 44',
  },
  it: {
    goods:
      'Posa pavimento|Tinteggiatura interni|Consulenza tecnica|Tubo rame|Manutenzione caldaia|Stampa pieghevoli|Pannello legno|Trasferta officina|Pulizia vetri|Corso di formazione',
    units: 'ore|pz|m',
    sellers: 'Falegnameria Bertoni S.r.l.|Tipografia Colombo S.n.c.|Impianti Moretti S.p.A.',
    buyers: 'Comune di Rivalta|Studio Legale Ferri|Officina Galli S.r.l.',
    towns: '10121 Torino|40121 Bologna|37121 Verona',
    streets: 'Via Roma 12|Corso Italia 5|Via dei Mille 31',
  },
  es: {
    goods:
      'Instalación eléctrica|Pintura interior|Estudio técnico|Tubo de cobre|Mantenimiento caldera|Impresión folletos|Tablero de roble|Desplazamiento|Limpieza cristales|Curso de gestión',
    units: 'h|ud|m',
    sellers: 'Carpintería Robles S.L.|Imprenta Vega S.A.|Instalaciones Soria S.L.',
    buyers: 'Ayuntamiento de Nava|Bufete Herrera|Talleres Lozano S.L.',
    towns: '28004 Madrid|41001 Sevilla|46002 Valencia',
    streets: 'Calle Mayor 8|Avenida del Puerto 21|Plaza Nueva 2',
  },
  pl: {
    goods:
      'Montaż okien|Malowanie elewacji|Projekt ulotki|Rura miedziana|Przegląd kotła|Druk broszur|Płyta dębowa|Dojazd serwisu|Mycie szyb|Szkolenie kadr',
    units: 'godz|szt|m',
    sellers: 'Stolarnia Kowal Sp. z o.o.|Drukarnia Wisła S.A.|Elektro Nowak Sp. z o.o.',
    buyers: 'Urząd Gminy Lipno|Kancelaria Zieliński|Auto Serwis Mazur',
    towns: '00-950 Warszawa|31-042 Kraków|60-813 Poznań',
    streets: 'ul. Długa 7|ul. Polna 15|ul. Lipowa 3',
  },
  sv: {
    goods:
      'Snickeriarbete|Målning fasad|Konsultation|Kopparrör|Service panna|Tryck broschyr|Ekplanka|Framkörning|Fönsterputs|Kurs bokföring',
    units: 'tim|st|m',
    sellers: 'Lindbergs Snickeri AB|Tryckeriet Norr AB|Elbolaget Vik AB',
    buyers: 'Norrby kommun|Advokatbyrån Ek|Bilverkstan Dahl AB',
    towns: '411 05 Göteborg|753 20 Uppsala|211 20 Malmö',
    streets: 'Storgatan 5|Hamnvägen 12|Ringvägen 8',
  },
} as const

/** To hundredths; half of one goes up. */
export const round = (value: number): number => Math.round(value * 100 + 1e-6) / 100

/** A sale with its sums: taxes are rounded by rate. */
export function makeSale(seed: number, order: Order): Sale {
  const random = seeded(seed)
  const words = WORDS[order.language]
  const pick = (list: string): string => random.pick(list.split('|'))
  const names = words.goods.split('|')
  const lines = Array.from({ length: order.lines }, (_, at): Line => {
    const name = names[(at * 5 + seed) % names.length]!
    const quantity = random.int(1, 24)
    const price = random.int(190, order.priceMax ?? 18_900) / 100
    const off = order.withLineDiscounts && at % 2 === 1 ? random.pick([5, 10, 15]) : 0
    const again = Math.floor(at / names.length)
    return {
      name: again === 0 ? name : `${name} ${again + 1}`,
      quantity,
      unit: random.pick(words.units.split('|')),
      price,
      rate: order.rates[at % order.rates.length]!,
      off,
      amount: round(quantity * price * (1 - off / 100)),
    }
  })
  const goods = round(lines.reduce((sum, line) => sum + line.amount, 0))
  const discount = round((goods * (order.discountPercent ?? 0)) / 100)
  const shipping = order.shipping ?? 0
  const rates = [...new Set(order.rates)].map((rate, at): Rate => {
    const own = lines.filter((line) => line.rate === rate).reduce((sum, l) => sum + l.amount, 0)
    // All of the discount and of the carriage is of the first rate.
    const base = round(own + (at === 0 ? shipping - discount : 0))
    return { rate, base, tax: round((base * rate) / 100) }
  })
  const net = round(goods - discount + shipping)
  const vat = round(rates.reduce((sum, { tax }) => sum + tax, 0))
  const date = new Date(Date.UTC(2024, random.int(0, 10), random.int(1, 28)))
  return {
    seller: pick(words.sellers),
    sellerStreet: pick(words.streets),
    sellerTown: pick(words.towns),
    buyer: pick(words.buyers),
    buyerStreet: pick(words.streets),
    buyerTown: pick(words.towns),
    id: `${random.pick(['R', 'F-', '2024/', 'INV-'])}${random.digits(5)}`,
    date,
    due: new Date(date.getTime() + 14 * 86_400_000),
    lines,
    goods,
    discount,
    shipping,
    rates,
    net,
    vat,
    total: round(net + vat),
  }
}

/** What is true of a sale. */
export function truthOf(sale: Sale): SaleTruth {
  return {
    seller: sale.seller,
    buyer: sale.buyer,
    date: sale.date.toISOString().slice(0, 10),
    due: sale.due.toISOString().slice(0, 10),
    id: sale.id,
    net: sale.net,
    vat: sale.vat,
    total: sale.total,
    goods: sale.lines.map(({ name, amount }) => ({ description: name, amount })),
  }
}

/** Writes sums: `group` between thousands, `decimal` before the hundredths. */
export const sums =
  (group: string, decimal: string) =>
  (value: number): string => {
    const [whole, cents] = Math.abs(value).toFixed(2).split('.')
    return `${value < 0 ? '-' : ''}${whole!.replaceAll(/\B(?=(\d{3})+$)/g, group)}${decimal}${cents}`
  }

/** "D.M.Y" with two digits each and the year. */
export const day = (date: Date, pattern: string): string =>
  pattern
    .replace('D', String(date.getUTCDate()).padStart(2, '0'))
    .replace('M', String(date.getUTCMonth() + 1).padStart(2, '0'))
    .replace('Y', String(date.getUTCFullYear()))
