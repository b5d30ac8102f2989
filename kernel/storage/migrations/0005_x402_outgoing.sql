-- Transactions of the gateway's own account that may be out and are not known to be mined
-- (kernel/rails/x402/settle/outbox.ts). A row is written before its transaction is first sent, so that
-- any instance, also the next start, can send it again with higher fees in the same place.
CREATE TABLE coinop.x402_outgoing (
  -- CAIP-2 network, or the mark of a sandbox chain.
  chain text NOT NULL,
  account text NOT NULL,
  account_nonce bigint NOT NULL,
  -- The payment that it settles.
  asset text NOT NULL,
  payer text NOT NULL,
  nonce text NOT NULL,
  target text NOT NULL,
  data text NOT NULL,
  gas bigint NOT NULL,
  -- Fees of each form that was sent, oldest first: [[maxFeePerGas, maxPriorityFeePerGas], …] in wei.
  forms jsonb NOT NULL,
  -- No form pays more than this for a unit of gas, in wei.
  most_per_gas numeric NOT NULL,
  -- Until then somebody waits for it and raises its fees; afterwards whoever is held up by it may.
  tended_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A place is given once, and a payment has one place, whoever asks on whatever instance.
  PRIMARY KEY (chain, account, account_nonce),
  CONSTRAINT x402_outgoing_payment UNIQUE (chain, account, asset, payer, nonce)
);
