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
