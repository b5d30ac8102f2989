/** A sale as the XML of a Brazilian NF-e, from which packages draw its printed form, the DANFE. */
import type { SaleTruth } from '../others/sale.ts'
import type { Sale } from './documents.ts'

const cents = (value: number): string => value.toFixed(2)

/** The total of an NF-e is that of its goods: ICMS is inside the prices. */
export function danfeXml(sale: Sale): { xml: string; truth: SaleTruth } {
  const { truth, values } = sale
  const number = truth.id.replaceAll(/\D/g, '').slice(-6)
  const quantities = values['qty'] as string[]
  const goods = truth.goods.map((good, at) => {
    const quantity = Number(quantities[at])
    const price = Math.round((good.amount / quantity) * 100) / 100
    return { ...good, quantity, price, amount: Math.round(price * quantity * 100) / 100 }
  })
  const total = Math.round(goods.reduce((sum, good) => sum + good.amount, 0) * 100) / 100
  const icms = Math.round(total * 18) / 100
  const key = `352408${'33014556000196'}55001${number.padStart(9, '0')}1${'12345678'}9`
  const [street, place] = (values['address'] as string).split('<br>') as [string, string]
  const city = place.slice(place.indexOf(' ') + 1)
  const address = (tag: string, name: string, road: string, town: string): string =>
    `<${tag}><xLgr>${road}</xLgr><nro>100</nro><xBairro>Centro</xBairro><cMun>3550308</cMun><xMun>${town}</xMun><UF>SP</UF><CEP>01310100</CEP><cPais>1058</cPais><xPais>BRASIL</xPais><fone>1133224455</fone></${tag}>`
  const xml = `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe versao="4.00" Id="NFe${key}"><ide><cUF>35</cUF><cNF>12345678</cNF><natOp>VENDA DE MERCADORIA</natOp><mod>55</mod><serie>1</serie><nNF>${number}</nNF><dhEmi>${truth.date}T10:00:00-03:00</dhEmi><dhSaiEnt>${truth.date}T11:00:00-03:00</dhSaiEnt><tpNF>1</tpNF><idDest>1</idDest><cMunFG>3550308</cMunFG><tpImp>1</tpImp><tpEmis>1</tpEmis><cDV>9</cDV><tpAmb>1</tpAmb><finNFe>1</finNFe><indFinal>0</indFinal><indPres>0</indPres><procEmi>0</procEmi></ide><emit><CNPJ>33014556000196</CNPJ><xNome>${truth.seller}</xNome>${address('enderEmit', truth.seller, street, city)}<IE>110042490114</IE><CRT>3</CRT></emit><dest><CNPJ>11222333000181</CNPJ><xNome>${truth.buyer}</xNome>${address('enderDest', truth.buyer, values['address1'] as string, values['city'] as string)}<indIEDest>1</indIEDest><IE>110042490115</IE></dest>${goods.map((good, at) => `<det nItem="${at + 1}"><prod><cProd>P${100 + at}</cProd><cEAN>SEM GTIN</cEAN><xProd>${good.description}</xProd><NCM>84713012</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>${good.quantity}.0000</qCom><vUnCom>${cents(good.price)}</vUnCom><vProd>${cents(good.amount)}</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>${good.quantity}.0000</qTrib><vUnTrib>${cents(good.price)}</vUnTrib><indTot>1</indTot></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>${cents(good.amount)}</vBC><pICMS>18.00</pICMS><vICMS>${cents(good.amount * 0.18)}</vICMS></ICMS00></ICMS></imposto></det>`).join('')}<total><ICMSTot><vBC>${cents(total)}</vBC><vICMS>${cents(icms)}</vICMS><vICMSDeson>0.00</vICMSDeson><vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST><vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet><vProd>${cents(total)}</vProd><vFrete>0.00</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vII>0.00</vII><vIPI>0.00</vIPI><vIPIDevol>0.00</vIPIDevol><vPIS>0.00</vPIS><vCOFINS>0.00</vCOFINS><vOutro>0.00</vOutro><vNF>${cents(total)}</vNF><vTotTrib>0.00</vTotTrib></ICMSTot></total><transp><modFrete>9</modFrete></transp><cobr><fat><nFat>${number}</nFat><vOrig>${cents(total)}</vOrig><vDesc>0.00</vDesc><vLiq>${cents(total)}</vLiq></fat></cobr><pag><detPag><tPag>15</tPag><vPag>${cents(total)}</vPag></detPag></pag><infAdic><infCpl>Pedido 4711</infCpl></infAdic></infNFe></NFe><protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${key}</chNFe><dhRecbto>${truth.date}T10:05:00-03:00</dhRecbto><nProt>135240000000001</nProt><cStat>100</cStat><xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe></nfeProc>`
  return {
    xml,
    truth: {
      ...truth,
      id: number,
      net: total,
      vat: icms,
      total,
      goods: goods.map(({ description, amount }) => ({ description, amount })),
    },
  }
}
