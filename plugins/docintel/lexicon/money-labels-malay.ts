/** Labels of amounts in Malay and Indonesian, on folded capitals; tried before the western ones. */
import type { MoneyLabel } from './money-label.ts'

const TAX =
  '(?:PPN|PB[1I]|PB 1|PBI 1|PBJT|PAJAK(?: RESTORAN| DAERAH| RESTO)?|CUKAI(?: PERKHIDMATAN| JUALAN)?)'

export const MALAY: readonly (readonly [MoneyLabel, string])[] = [
  ['count', '(?:TOTAL|JUMLAH|JML|JUM) (?:ITEM|QTY|BARANG|KUANTITI|UNIT|PCS)|BANYAKNYA'],
  ['tax', `(?:TOTAL |JUMLAH )?${TAX}(?: \\d+(?: \\d+)?%?)?(?: TERMASUK| INCL)?(?: RP| RM)?`],
  ['taxable', 'DPP|DASAR PENGENAAN PAJAK'],
  [
    'discount',
    '(?:TOTAL |JUMLAH )?(?:DISKON|HEMAT|ANDA HEMAT|POTONGAN(?: HARGA)?|DISKAUN|PENJIMATAN)(?: RP| RM)?',
  ],
  ['change', '(?:UANG |WANG )?(?:KEMBALI|KEMBALIAN|BAKI|PULANGAN)(?: TUNAI)?(?: RP| RM)?'],
  ['service', '(?:BIAYA |CAJ )(?:LAYANAN|PERKHIDMATAN|SERVIS)|PELAYANAN'],
  ['rounding', 'PEMBULATAN|PELARASAN(?: PENGGENAPAN)?|PENGGENAPAN|PEMBUNDARAN'],
  [
    'subtotal',
    'JUMLAH KECIL|JUMLAH SEBELUM (?:CUKAI|PAJAK|DISKON)|TOTAL SEBELUM (?:CUKAI|PAJAK)|HARGA JUAL',
  ],
  [
    'total_payable',
    '(?:TOTAL|JUMLAH) (?:BAYAR|BELANJA|PEMBAYARAN|TAGIHAN|KESELURUHAN|BESAR|BERSIH|AKHIR|SEMUA|PERLU DIBAYAR|HARUS DIBAYAR)(?: RP| RM)?',
  ],
  [
    'total_inclusive',
    '(?:TOTAL|JUMLAH) (?:TERMASUK|SELEPAS|TMSK|SETELAH) (?:CUKAI|PAJAK|PPN|GST|SST)(?: .*)?',
  ],
  ['cash', '(?:BAYAR )?TUNAI(?: RP| RM)?|UANG TUNAI'],
  ['tendered', 'BAYAR|DIBAYAR|UANG DITERIMA|DITERIMA'],
  ['card', 'KARTU (?:KREDIT|DEBIT)|KAD (?:KREDIT|DEBIT)|DEBIT BCA|QRIS'],
]
