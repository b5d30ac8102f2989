/** What /llms.txt says of a skill: enough to call it, and no more than a model can take in. */
import { expect, it } from 'vitest'
import { Type } from 'typebox'
import { skillEntry } from '../../../../plugins/documents/llms-skill.ts'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { flatPrice } from '../../../../kernel/pricing/rule.ts'
import { hash } from '../../../../plugins/demo/index.ts'

const mounted = (skill: object, route = { method: 'POST', path: '/v1/paid/hash' }): MountedSkill =>
  ({
    skill: { ...hash, ...skill },
    route,
    product: { id: 'demo' },
    metered: false,
    tools: [],
    price: flatPrice(0n),
  }) as unknown as MountedSkill
const entry = (skill: object, route?: { method: string; path: string }) =>
  skillEntry('https://gw.example', mounted(skill, route))

it('has the whole schema, an example with its answer, and a curl', () => {
  const text = entry({})
  expect(text).toContain('](https://gw.example/v1/products/demo)')
  expect(text).toContain(`- Input: \`${JSON.stringify(hash.input)}\``)
  expect(text).toContain('- Example: `{"input":"hello"}` → `{"algorithm":"sha256",')
  expect(text).toContain(
    `- Call: \`curl -X POST 'https://gw.example/v1/paid/hash' -H 'Content-Type: application/json' -d '{"input":"hello"}'\``,
  )
})

it('leaves what is long to the JSON view, and quotes what a shell or Markdown would read', () => {
  const names = Array.from({ length: 60 }, (_, n) => [`member_${n}`, Type.String()] as const)
  const input = Type.Object(Object.fromEntries(names))
  const example = { input: { member_0: 'x'.repeat(700) } }
  const text = entry({ input, example })
  expect(text).toContain('an object of `member_0` string (required), `member_1`')
  expect(text).toContain('[JSON](https://gw.example/v1/products/demo)')
  expect(text).not.toMatch(/Example|curl/)
  const quoted = entry({ example: { input: { input: "it's `here`" } } })
  expect(quoted).toContain(`-d '{"input":"it'\\''s \`here\`"}' \`\``)
})

it('fills path parameters and the query of a GET', () => {
  const example = { input: { city: 'São Paulo', days: 3 } }
  const text = entry({ example }, { method: 'GET', path: '/v1/weather/{city}' })
  expect(text).toContain("`curl 'https://gw.example/v1/weather/S%C3%A3o%20Paulo?days=3'`")
})

it('keeps titles and descriptions, which may be of an imported document, in their line', () => {
  const description = 'Finds pets.\n\n## Errors\n\n- 404: no pet\n'
  const text = entry({ title: 'Find](https://evil.example)\n# Pets', description })
  expect(text).toContain(
    '- [Find\\](https://evil.example) # Pets](https://gw.example/v1/products/demo): `POST',
  )
  expect(text).toContain('free. Finds pets. ## Errors - 404: no pet\n  - Input')
})
