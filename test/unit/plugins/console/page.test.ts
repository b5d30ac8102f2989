/** That nothing a stranger wrote can become markup or script of the operator's page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptText, styleText } from '../../../../plugins/console/assets.ts'
import { pageHeaders } from '../../../../plugins/shared/pages/headers.ts'
import { pageHtml } from '../../../../plugins/console/html.ts'
import { h, safeHref } from '../../../../plugins/shared/pages/dom.ts'

const plugins = resolve(import.meta.dirname, '../../../../plugins')
const HOSTILE = `"><img src=x onerror=alert(1)>\u0000'&<script>`

/** As much of a document as `h` uses: what is text stays apart from what is an element. */
class FakeNode {
  readonly children: FakeNode[] = []
  readonly attributes = new Map<string, string>()
  readonly tag: string | null
  readonly text: string | null
  constructor(tag: string | null, text: string | null = null) {
    this.tag = tag
    this.text = text
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }
  appendChild(child: FakeNode): void {
    this.children.push(child)
  }
}

describe('elements', () => {
  const before = {
    document: Reflect.get(globalThis, 'document'),
    Node: Reflect.get(globalThis, 'Node'),
  }
  beforeAll(() => {
    Object.assign(globalThis, {
      Node: FakeNode,
      document: {
        createElement: (tag: string) => new FakeNode(tag),
        createTextNode: (text: string) => new FakeNode(null, text),
      },
    })
  })
  afterAll(() => {
    Object.assign(globalThis, before)
  })
  const made = (...args: Parameters<typeof h>) => h(...args) as unknown as FakeNode

  it('keep a hostile text a text', () => {
    const cell = made('td', { title: HOSTILE }, HOSTILE, [null, false, undefined, [7]])
    expect(cell.children.map(({ tag, text }) => [tag, text])).toEqual([
      [null, HOSTILE],
      [null, '7'],
    ])
    expect(cell.attributes).toEqual(new Map([['title', HOSTILE]]))
  })

  it('take no attribute that runs anything', () => {
    for (const name of ['onclick', 'onerror', 'srcdoc', 'style']) {
      expect(() => made('a', { [name]: 'alert(1)' })).toThrow('not an attribute for data')
    }
  })

  it('lead to places of this origin only', () => {
    expect(made('a', { href: 'javascript:alert(1)' }).attributes.get('href')).toBe('#')
    for (const href of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'data:text/html,x',
      ' javascript:x',
    ]) {
      expect(safeHref(href)).toBe('#')
    }
    expect(safeHref('#/keys/a')).toBe('#/keys/a')
    expect(safeHref('/docs')).toBe('/docs')
  })
})

it('uses nothing that reads text as markup or code', () => {
  const files = ['console/page', 'shared/pages'].flatMap((folder) =>
    readdirSync(join(plugins, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  expect(files.length).toBeGreaterThan(20)
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|DOMParser|createContextualFragment|\beval\b|new Function|localStorage|document\.cookie/
  const found = files.filter((name) => forbidden.test(readFileSync(join(plugins, name), 'utf8')))
  expect(found).toEqual([])
})

it('is one script without imports, and a style sheet that fetches nothing', async () => {
  const script = await scriptText()
  expect(script).toContain('Coinop console')
  expect(script).not.toMatch(/^\s*(import|export)\b/m)
  expect(script + (await styleText())).not.toMatch(
    /https?:\/\/(?!www\.w3\.org\/2000\/svg)|@import|url\(/,
  )
})

it('has a document without inline script or style, at any base path', () => {
  const html = pageHtml('/ops/console', 'https://pay.example')
  expect(html).toContain('<script type="module" src="/ops/console/console.js"></script>')
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  const below = pageHtml('/console', 'https://pay.example/gateway/')
  expect(below).toContain('src="/gateway/console/console.js"')
  expect(below).toContain('href="/gateway/console/console.css"')
})

it('allows the browser its own origin and nothing inline', () => {
  const headers = pageHeaders('text/html')
  const policy = headers['content-security-policy']!
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy.split('; ')).toContain(part)
  }
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  })
})
