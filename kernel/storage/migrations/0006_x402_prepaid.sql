-- Finds what POST /v1/x402/settle has paid for by its request id, also once its answer was given.
CREATE INDEX x402_claim_prepaid_request ON coinop.x402_claim (request_id) WHERE prepaid;
