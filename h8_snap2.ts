import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const root = process.cwd()
const what = process.argv[2]!, out = process.argv[3]!
const lines: string[] = []
if (what === 'extract') {
  const { runExtract } = await import(join(root,'plugins/utils/extract/worker.ts'))
  const cases: any[] = [], contents: any[] = []
  for (const f of readdirSync(join(root,'test/bench/extract')).sort()) {
    if (f.startsWith('score')) continue
    const m = await import(join(root,'test/bench/extract',f))
    for (const [k,v] of Object.entries(m)) if (Array.isArray(v)) for (const one of v as any[]) {
      if (one && one.schema && one.content) cases.push({...one, k})
      const html = one?.html ?? one?.content
      if (typeof html === 'string') contents.push({name: k+':'+one.name, html, url: one.url ?? null, source: one.source ?? 'html'})
    }
  }
  const schemas = cases.map(c=>c.schema)
  console.log(cases.length, contents.length)
  for (const c of cases) lines.push(c.k+c.name+' '+JSON.stringify(runExtract({source:c.source??'html',content:c.content,contentType:null,url:c.url??null,schema:c.schema})))
  contents.forEach((c,i)=>{
    lines.push(c.name+' none '+JSON.stringify(runExtract({source:c.source,content:c.html,contentType:null,url:c.url})))
    for (const s of [schemas[i%schemas.length], schemas[(i*7+3)%schemas.length], {type:'object',properties:{title:{type:'string'},author:{type:'object',properties:{name:{type:'string'},url:{type:'string'}}},links:{type:'array',items:{type:'object',properties:{title:{type:'string'},url:{type:'string',format:'uri'}}}},tags:{type:'array',items:{type:'string'}},price:{type:'number'},min_price:{type:'number'},reviews:{type:'integer'}}}])
      lines.push(c.name+' x '+JSON.stringify(runExtract({source:c.source,content:c.html,contentType:null,url:c.url,schema:s})))
  })
} else {
  const F = join(root,'test/support/docintel-fixtures')
  const { understand } = await import(join(root,'plugins/docintel/understand/understand.ts'))
  const { documentFromText } = await import(join(root,'plugins/docintel/read/text.ts'))
  const { readDocument } = await import(join(root,'plugins/docintel/pipeline.ts'))
  const { damage, layOut, skewedBoxes } = await import(join(F,'noise.ts'))
  const { seeded } = await import(join(F,'random.ts'))
  const { loadReceipts } = await import(join(F,'receipts/load.ts'))
  const { mixedReceipt } = await import(join(F,'receipts/mixed.ts'))
  const { DEV, malaysian } = await import(join(F,'malaysia.ts'))
  const { drawScene } = await import(join(F,'issuers/scene.ts'))
  const { typeset } = await import(join(F,'typeset.ts'))
  const fixtures: any[] = [], scenes: any[] = []
  for (const f of readdirSync(F).filter(f=>f.endsWith('.ts')).sort()) { const m = await import(join(F,f)); for (const v of Object.values(m)) if (Array.isArray(v)) for (const o of v as any[]) if (o?.lines && o?.truth) fixtures.push(o) }
  for (const f of readdirSync(join(F,'receipts')).filter(f=>f.endsWith('.txt')).sort()) fixtures.push(...loadReceipts(f))
  for (let k=0;k<150;k++) fixtures.push(mixedReceipt(seeded(k*7907+13),'mixed'+k))
  DEV.forEach((t:any,i:number)=>{ for (let k=0;k<8;k++) fixtures.push(malaysian(seeded(k*7919+i*101+5),t)) })
  for (const f of readdirSync(join(F,'issuers')).sort()) { const m = await import(join(F,'issuers',f)); for (const v of Object.values(m)) if (Array.isArray(v)) for (const o of v as any[]) if (o?.scene) scenes.push(o) }
  console.log(fixtures.length, scenes.length)
  const now = new Date(Date.UTC(2025,0,1))
  fixtures.forEach((fx,i)=>{
    const texts: [string,string][] = []
    for (const l of ['rows','columns','boxes','right']) { texts.push([l,layOut(fx.lines,l)]); texts.push([l+'n',damage(layOut(fx.lines,l),0.03,seeded(i*31+7))]) }
    texts.push(['skew',skewedBoxes(fx.lines,0.12,seeded(i*31+7))]); texts.push(['n8',damage(layOut(fx.lines,'rows'),0.08,seeded(i*17+3))])
    for (const [l,t] of texts) for (const preferred of ['receipt','invoice']) lines.push(`${fx.name} ${l} ${preferred} `+JSON.stringify(understand(documentFromText(t),{preferred,now})))
  })
  for (const s of scenes) { const o = await readDocument({source:{kind:'application/pdf',bytes:drawScene(s.scene,s.style)},preferred:'invoice',tier:'auto',nowMs:Date.UTC(2026,0,1),ocr:'off',ocrBudgetMs:1}); lines.push(`${s.name} `+JSON.stringify(o.ok?o.result:o)) }
  for (const fx of fixtures.filter((f:any)=>f.skill==='invoice').slice(0,80)) { const o = await readDocument({source:{kind:'application/pdf',bytes:typeset(fx.lines)},preferred:'invoice',tier:'auto',nowMs:Date.UTC(2026,0,1),ocr:'off',ocrBudgetMs:1}); lines.push(`pdf ${fx.name} `+JSON.stringify(o.ok?o.result:o)) }
}
writeFileSync(out, lines.join('\n'))
console.log(lines.length, Bun.hash(lines.join('\n')).toString(16))
