-- Keys may hold ids of players, which an erasure could not find, so only their SHA-256 is stored. A
-- server of the previous release still looks for the keys themselves. While both releases run, a request
-- that is repeated to the other one counts as new.
UPDATE event_idempotency_keys
SET idempotency_key = encode(sha256(convert_to(idempotency_key, 'UTF8')), 'hex');
