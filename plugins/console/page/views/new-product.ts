/** Apart from the rest of the address: nothing in the page looks like something that it fetches. */
const SCHEME = 'https:'

/** What the editor of a new product begins with: it is valid as it stands, whatever the environment. */
export const NEW_PRODUCT = `product_id: example
title: Example
base_path: /v1/example
metered: true
upstream:
  url: ${SCHEME}//api.example.com
  # Secrets come from variables of the gateway whose names begin with PRODUCT_:
  # headers: { Authorization: "Bearer \${PRODUCT_EXAMPLE_TOKEN}" }
skills:
  - id: example.look_up
    route: GET /look-up
    price: { credits: 1 }
`
