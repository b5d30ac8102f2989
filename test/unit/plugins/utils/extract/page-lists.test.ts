import { describe, expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

const STRINGS = { type: 'array', items: { type: 'string' } }
function lists(html: string): { ingredients: string[]; steps: string[]; path: unknown } {
  const schema = { type: 'object', properties: { ingredients: STRINGS, steps: STRINGS } }
  const outcome = runExtract({
    source: 'html',
    content: html,
    contentType: null,
    url: null,
    schema,
  })
  if (!outcome.ok) throw new Error(outcome.message)
  const { ingredients, steps } = outcome.data as { ingredients: string[]; steps: string[] }
  return { ingredients, steps, path: outcome.paths['/ingredients'] }
}
const DOUGH = ['2 cups flour, sifted', '1 pinch of salt', '3/4 cup water (warm, not hot)']
const items = (texts: readonly string[]): string => texts.map((one) => `<li>${one}</li>`).join('')

describe('lists of a page', () => {
  it('are those of the element that is named so, and not its text cut at commas', () => {
    expect(
      lists(
        `<main><h1>Flatbread</h1><div class="box recipe__ingredients"><span>In your kitchen:</span><ul>${items(DOUGH)}</ul></div></main>`,
      ).ingredients,
    ).toEqual(DOUGH)
  })

  it('go on below lesser headings, and end at the next of the same rank', () => {
    expect(
      lists(
        `<main><h2>Ingredients</h2><p>Use <b>fresh</b> flour.</p><p><strong>For the dough</strong></p><ul>${items(DOUGH)}</ul><h3>For the pan</h3><ul><li>▢ oil</li></ul><h2>Notes</h2><ul><li>Keep it dry.</li></ul></main>`,
      ).ingredients,
    ).toEqual([...DOUGH, 'oil'])
  })

  it('are lines that br parts below their name in bold type, in several languages', () => {
    const { ingredients, steps } = lists(
      `<main><h1>Bröd</h1><p><strong>Ingredienser till 20 stycken</strong><br>2 dl mjöl<br>1 dl vatten<br>salt</p><p><strong>Gör så här:</strong><br>1. Blanda allt, och vänta.<br>2. Grädda brödet.<br>3. Ät.</p></main>`,
    )
    expect(ingredients).toEqual(['2 dl mjöl', '1 dl vatten', 'salt'])
    expect(steps).toEqual(['1. Blanda allt, och vänta.', '2. Grädda brödet.', '3. Ät.'])
  })

  it('are the paragraphs below a heading where it has no other list', () => {
    expect(
      lists(
        '<main><h2>Method</h2><p>Mix flour, salt and water.</p><p>Rest it, covered.</p><h2>More</h2><p>Another bread.</p></main>',
      ).steps,
    ).toEqual(['Mix flour, salt and water.', 'Rest it, covered.'])
  })

  it('have no part in what the page states in its data', () => {
    const data = { '@type': 'Recipe', name: 'Bread', recipeIngredient: ['flour', 'water'] }
    const { ingredients, path } = lists(
      `<script type="application/ld+json">${JSON.stringify(data)}</script><h2>Ingredients</h2><ul>${items(DOUGH)}</ul>`,
    )
    expect(ingredients).toEqual(['flour', 'water'])
    expect(path).toBe('json_ld[0].recipeIngredient')
  })
})

describe('lists in data', () => {
  const steps = (recipeInstructions: unknown): string[] =>
    lists(
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'Recipe', name: 'Bread', recipeInstructions })}</script>`,
    ).steps
  const step = (text: string) => ({ '@type': 'HowToStep', text })

  it.each([
    [
      'sections of sections',
      [
        { '@type': 'HowToSection', name: 'Dough', itemListElement: [step('Mix, and wait.')] },
        {
          '@type': 'HowToSection',
          name: 'Oven',
          itemListElement: { '@type': 'ItemList', itemListElement: [step('Bake.')] },
        },
      ],
      ['Mix, and wait.', 'Bake.'],
    ],
    [
      'one section alone',
      { '@type': 'HowToSection', itemListElement: [step('Mix.'), step('Bake.')] },
      ['Mix.', 'Bake.'],
    ],
    [
      'a property written as a type',
      [{ '@type': 'HowToSection', name: 'Dough', ItemListElement: [step('Mix.'), step('Bake.')] }],
      ['Mix.', 'Bake.'],
    ],
    ['false for none', false, []],
  ])('%s', (_, instructions, expected) => expect(steps(instructions)).toEqual(expected))
})

describe('names of authors', () => {
  const authorOf = (html: string): unknown => {
    const schema = { type: 'object', properties: { author: { type: 'string' } } }
    const outcome = runExtract({
      source: 'html',
      content: html,
      contentType: null,
      url: null,
      schema,
    })
    return outcome.ok ? (outcome.data as { author: unknown }).author : outcome
  }
  const text = '<p>Bread is made of flour and water, and of time, of which it needs the most.</p>'

  it('are no addresses of pages and nothing that a script made of nothing', () => {
    expect(
      authorOf(
        `<meta property="article:author" content="https://www.facebook.com/bread"><h1>Bread</h1>${text}`,
      ),
    ).toBeNull()
    expect(authorOf(`<h1>Bread</h1><div class="author">[object Object]</div>${text}`)).toBeNull()
  })

  it('are those of the data where the site goes by the name of its author', () => {
    const data = {
      '@type': 'Recipe',
      name: 'Bread',
      author: { '@type': 'Person', name: 'Ada Quill' },
    }
    expect(
      authorOf(
        `<head><title>Bread - Ada Quill</title><meta property="og:site_name" content="Ada Quill"><script type="application/ld+json">${JSON.stringify(data)}</script></head><h1>Bread</h1><div class="by">Prep Time</div>${text}`,
      ),
    ).toBe('Ada Quill')
  })
})
