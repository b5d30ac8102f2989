/** Names on the wire of the Payment authentication scheme, on HTTP and on MCP. */

export const SCHEME = 'Payment'
export const AUTHORIZATION = 'authorization'
/** Carries the credential where `Authorization` already holds an API key. */
export const PAYMENT_AUTHORIZATION = 'Payment-Authorization'
export const PAYMENT_RECEIPT = 'payment-receipt'
export const ACCEPT_PAYMENT = 'accept-payment'
export const WWW_AUTHENTICATE = 'www-authenticate'

/** Members of `_meta` (MPP payment-transport-mcp-00). */
export const META_CREDENTIAL = 'org.paymentauth/credential'
export const META_RECEIPT = 'org.paymentauth/receipt'
export const META_PAYMENT_REQUIRED = 'org.paymentauth/payment-required'
