/** The plan that customers of the chaos run begin: its product file, and what a month costs and gives. */
export const PLAN_CREDITS = { price: 50, monthly: 60 }

export const PLAN_PRODUCT = `
product_id: plans
base_path: /v1/plans
plugin: plans
metered: false
config:
  plans:
    starter: { price: { credits: ${PLAN_CREDITS.price} }, monthly_credits: ${PLAN_CREDITS.monthly} }
`
