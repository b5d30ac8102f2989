/** A bill with Indian GST for the templates of @makarandkate/invoice-templates. */
import type { SaleTruth } from '../others/sale.ts'
import type { Sale } from './documents.ts'

/** The package's own names of its layouts: a page and four widths of till paper. */
export const GST_LAYOUTS = ['temp6', 'temp17', 'temp18', 'temp19', 'temp20'] as const

const round = (value: number): number => Math.round(value * 100) / 100

/** All rates are 18 %; amounts of goods are with tax; the sum is rounded to whole rupees. */
export function gstBill(
  sale: Sale,
  layout: string,
): { truth: SaleTruth; bill: Record<string, unknown> } {
  const { values } = sale
  const quantities = values['qty'] as string[]
  const goods = sale.truth.goods.map((good, at) => {
    const quantity = Number(quantities[at])
    const price = round(good.amount / quantity)
    const net = round(price * quantity)
    return { description: good.description, quantity, price, net, tax: round(net * 0.18) }
  })
  const net = round(goods.reduce((sum, good) => sum + good.net, 0))
  const vat = round(goods.reduce((sum, good) => sum + good.tax, 0))
  const total = Math.round(net + vat)
  const [street, place] = (values['address'] as string).split('<br>') as [string, string]
  const stamp = Date.parse(`${sale.truth.date}T06:30:00Z`)
  const due = Date.parse(`${sale.truth.due}T06:30:00Z`)
  const bill = {
    user: { isPro: 1, registrationStamp: 1699155813578 },
    profile: {
      addressProvience: 'RJ (08)',
      legalName: sale.truth.seller,
      addressLine1: `${street}, ${place}`,
      addressPostalCode: '313001',
      contactPersonPhone: '8890515151',
      contactPersonEmail: 'accounts@example.com',
      gstin: '08BWRPB4544E1ZI',
      bankAccountNo: '760201010050234',
      bankName: 'UBI',
      bankIFSC: 'UBIN0576026',
      bankAccountType: 'CURRENT',
      bankUPI: '',
      signatureLink: '',
      logoLink: '',
    },
    bill: {
      partyData: {
        ledgerCredit: 0,
        profileData: {
          legalName: sale.truth.buyer,
          gstNumber: '27AAPFU0939F1ZV',
          contactPersonName: sale.truth.buyer,
          contactPersonPhone: '9820098200',
          addressLine1: values['address1'],
          addressState: 'Maharashtra',
          addressPincode: '400001',
        },
      },
      moneyInOut: {},
      billItems: goods.map((good) => ({
        itemDes: '',
        itemSrl: '',
        hsn: '8471',
        price: good.price,
        basePrice: good.price,
        incTax: false,
        taxPercentage: 18,
        cessPercentage: 0,
        unit: 'pcs',
        quantity: good.quantity,
        discountPercentage: 0,
        discount: 0,
        unitGstAmount: round(good.price * 0.18),
        unitCessAmount: 0,
        unitDiscountAmount: 0,
        unitTaxAmount: round(good.price * 0.18),
        itemTotalGstAmount: good.tax,
        itemTotalCessAmount: 0,
        itemTotalTaxAmount: good.tax,
        effectiveTaxPercentage: 18,
        billCashDiscountPercentage: 0,
        total: round(good.net + good.tax),
        createdStamp: stamp,
        item: { itemName: good.description, hsn: '8471', mrp: 0 },
        additionalInputFieldValue: '',
        additionalDateFieldValue: 0,
        additionalInputFieldTitle: '',
        additionalDateFieldTitle: '',
        mrp: null,
        variant: '',
      })),
      roundOffValue: round(total - net - vat),
      billNo: sale.truth.id,
      billDateStamp: stamp,
      dueDateStamp: due,
      additionalAmount: 0,
      discountAmount: 0,
      gstAmount: vat,
      cessAmount: 0,
      totalAmount: total,
      createdStamp: stamp,
      color: '#3498db',
      billTitle: '',
      tnc: 'Goods once sold will not be taken back.',
      cashDiscount: 0,
      amountReceived: 0,
      cashDiscountPercentage: 0,
      challanNo: null,
      totalSaving: 0,
      subTotalAmount: net,
      partyPreviousBalance: null,
      billCompleteStamp: stamp,
      serviceChargePercentage: 0,
      serviceChargeAmount: 0,
      deliveryState: 'Maharashtra',
    },
    moneyInOut: null,
    isEstimate: false,
    isPurchase: false,
    isSaleReturn: false,
    isPurchaseReturn: false,
    isMoneyIn: false,
    isMoneyOut: false,
    settings: {
      showSignatureNotRequiredText: false,
      showSignatureInTemplates: true,
      makeItemNameBold: false,
      showPreviousAmount: false,
      showTaxAndDiscAmt: true,
      billSavingsAmount: true,
      iSetPrintTimeOnBill: layout !== 'temp6',
      pSetTaxMrpHsnPrintStatus: true,
    },
    extra: {},
    qrPayLink: '',
    addressTo: '',
    pageWidth: null,
  }
  return {
    truth: {
      ...sale.truth,
      net,
      vat,
      total,
      goods: goods.map((good) => ({
        description: good.description,
        amount: round(good.net + good.tax),
      })),
    },
    bill,
  }
}
