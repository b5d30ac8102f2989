import { describe, expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

function fill(content: string, schema: object, url: string | null = null): unknown {
  const outcome = runExtract({ source: 'html', content, contentType: null, url, schema })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.data
}

describe('values told by the shape of a page', () => {
  it('reads rows of two without any names, and addresses behind labelled links', () => {
    const page = `<ul><li><span>Bedrooms</span><span>2</span></li><li><span>Area</span><span>74 m²</span></li><li><span>Pets allowed</span><span>No</span></li></ul>
      <table><tr><th>Website</th><td><a href="https://a.example/">a.example</a></td></tr><tr><th>Floor</th><td>3</td></tr></table>`
    expect(
      fill(page, {
        bedrooms: 'integer',
        area: 'number',
        pets_allowed: 'boolean',
        website: 'url',
        floor: 'integer',
      }),
    ).toEqual({
      bedrooms: 2,
      area: 74,
      pets_allowed: false,
      website: 'https://a.example/',
      floor: 3,
    })
  })

  it('tells the price that is from the one that was', () => {
    const page =
      '<h1>Blanket</h1><div><span class="old-price">£89.00</span> <span class="special-price">£69.00</span></div>'
    expect(fill(page, { price: 'number', original_price: 'number' })).toEqual({
      price: 69,
      original_price: 89,
    })
  })

  it('takes the price of the product from around a crossed-out one, not that of a card below', () => {
    const page = `<h1>Backpack</h1><div class="price"><del>€159.00</del> <ins>€129.00</ins></div>
      <div class="related"><h3>Related</h3><div class="card"><h4>Small pack</h4><span class="price">€99.00</span></div></div>`
    expect(fill(page, { price: 'number', original_price: 'number' })).toEqual({
      price: 129,
      original_price: 159,
    })
  })

  it('reads the pairs of a line behind words that are none', () => {
    const page = '<p>Serves 4 · Prep time: 15 minutes · Cook time: 30 minutes</p>'
    expect(fill(page, { servings: 'integer', prep_time: 'string', cook_time: 'string' })).toEqual({
      servings: 4,
      prep_time: '15 minutes',
      cook_time: '30 minutes',
    })
  })

  it('takes as the time of a recipe only what says how long something takes', () => {
    const wanted = { total_time: 'string', rating: 'number' }
    const page = (shown: string): string => `<h1>Pie</h1><p>Crust and apples.</p>${shown}`
    for (const shown of [
      '<span class="total">337</span>',
      '<span class="total">87 Rating(s)</span>',
      '<time class="time">December 5, 2021 at 10:20 am</time>',
      '<span class="time">12.27.20</span>',
      '<span class="time">Prep Time: 20 minutes</span>',
      '<p>Time: 10:20</p>',
      '<i class="recipe-time">15 minutes</i><i class="recipe-time">1 hour</i>',
      '<script type="application/ld+json">{"@type":"Recipe","totalTime":"PT-447094H16M1S"}</script>',
    ])
      expect(fill(page(shown), wanted), shown).toMatchObject({ total_time: null })
    for (const [shown, value] of [
      ['<span class="total">1 h 30</span>', '1 h 30'],
      ['<p>Ready in: 1:15 h</p>', '1:15 h'],
      ['<p>Total time: 45</p>', '45'],
      ['<p>Time: 10-20 minutes</p>', '10-20 minutes'],
      ['<p>Gesamtzeit: 1 Std. 20 Min.</p>', '1 Std. 20 Min.'],
    ] as const)
      expect(fill(page(shown), wanted), shown).toMatchObject({ total_time: value })
  })

  it('gives lengths of time as minutes, or as what the key names', () => {
    const rows = [
      ['Total time: 1 hr 15 mins', { total_time: 75, total_time_hours: 1.25 }],
      ['Cook time: 1h30', { cook_time: 90, cook_time_minutes: 90 }],
      ['Prep time: 1 1/2 hours', { prep_time: 90, prep_time_seconds: 5400 }],
      ['Total time: 1 hour and 5 minutes (plus 2 hours chilling)', { total_time: 65 }],
      ['Duration: 2h 30m', { duration: 150 }],
      ['Running time: 142 min', { runtime: 142 }],
      ['Length: 12 cm', { length: 12 }],
      // Of no single length.
      ['Prep time: 10-20 minutes', { prep_time: null }],
      ['Total time: prep 20 min, bake 1 hour', { total_time: null }],
    ] as const
    for (const [line, data] of rows) {
      const wanted = Object.fromEntries(Object.keys(data).map((key) => [key, 'number']))
      expect(fill(`<p>${line}</p>`, wanted), line).toEqual(data)
    }
  })

  it('takes both ends of a range, and none from a single number', () => {
    const wanted = { salary_min: 'number', salary_max: 'number' }
    expect(fill('<p>Salary: €2,400 - €2,900</p>', wanted)).toEqual({
      salary_min: 2400,
      salary_max: 2900,
    })
    expect(fill('<p>Salary: €2,400</p>', wanted)).toEqual({ salary_min: null, salary_max: null })
  })

  it('reads questions with their answers, and contacts behind links', () => {
    const page =
      '<div><div class="q"><h3>Are dogs allowed?</h3><p>On the terrace.</p></div><div class="q"><h3>By card?</h3><p>Cash only.</p></div></div>'
    const schema = {
      type: 'object',
      properties: {
        faqs: {
          type: 'array',
          items: {
            type: 'object',
            properties: { question: { type: 'string' }, answer: { type: 'string' } },
          },
        },
      },
    }
    expect(fill(page, schema)).toEqual({
      faqs: [
        { question: 'Are dogs allowed?', answer: 'On the terrace.' },
        { question: 'By card?', answer: 'Cash only.' },
      ],
    })
  })

  it('reads the data of a page that scripts draw', () => {
    const state = {
      props: {
        pageProps: {
          product: {
            name: 'Flask',
            sku: 'FL-3',
            price: { amount: 18.5, currency: 'EUR' },
            inStock: true,
          },
        },
      },
    }
    const page = `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`
    expect(
      fill(page, {
        name: 'string',
        sku: 'string',
        price: 'number',
        currency: 'string',
        in_stock: 'boolean',
      }),
    ).toEqual({ name: 'Flask', sku: 'FL-3', price: 18.5, currency: 'EUR', in_stock: true })
  })

  it('does not take the headline of a person’s page for a job', () => {
    expect(
      fill('<h1>Dr. Ann Berg</h1><p>Lives in Brenn.</p>', { name: 'string', job_title: 'string' }),
    ).toEqual({ name: 'Dr. Ann Berg', job_title: null })
  })
})
