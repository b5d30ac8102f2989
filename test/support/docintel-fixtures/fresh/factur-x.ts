/** A sale as factur-x-kit's `totalsCalculator` takes it. */
import type { Manner } from '../others/sale.ts'
import type { Sale } from './documents.ts'

const dayOf = (iso: string): { year: number; month: number; day: number } => {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number]
  return { year, month, day }
}

export function facturXData(sale: Sale, manner: Manner): unknown {
  const { truth, values } = sale
  const rates = (values['linetaxrate'] as string[]).map(Number)
  const quantities = (values['qty'] as string[]).map(Number)
  const [street, place] = (values['address'] as string).split('<br>') as [string, string]
  const country = manner.vatId.slice(0, 2)
  return {
    document: {
      id: truth.id,
      type: '380',
      dateOfIssue: dayOf(truth.date),
      currency: manner.currency,
    },
    seller: {
      name: truth.seller,
      postalAddress: {
        addressLineOne: street,
        postcode: place.slice(0, place.indexOf(' ')),
        city: place.slice(place.indexOf(' ') + 1),
        country,
      },
      taxIdentification: { vatId: manner.vatId },
    },
    buyer: {
      name: truth.buyer,
      postalAddress: {
        addressLineOne: values['address1'],
        postcode: values['zipcode'],
        city: values['city'],
        country,
      },
    },
    delivery: { deliveryDate: dayOf(truth.date) },
    invoiceLines: truth.goods.map((good, at) => ({
      generalLineData: { lineId: String(at + 1) },
      productDescription: { name: good.description },
      productPriceAgreement: {
        productPricing: {
          basisPricePerItem: Math.round((good.amount / quantities[at]!) * 10_000) / 10_000,
        },
      },
      delivery: { itemQuantity: { quantity: quantities[at], unit: 'H87' } },
      settlement: { tax: { categoryCode: 'S', rateApplicablePercent: rates[at] } },
    })),
    paymentInformation: {
      paymentMeans: [{ paymentType: '58', payeeBankAccount: { iban: 'DE21700519950000007229' } }],
      paymentTerms: { dueDate: dayOf(truth.due) },
    },
  }
}
