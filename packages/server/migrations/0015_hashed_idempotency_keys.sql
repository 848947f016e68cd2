-- Games may put ids of players into their keys, and an erasure could not find them: what is stored is
-- their SHA-256. A server of the release before still looks for the keys themselves; while one runs
-- beside this one, a request that is sent again to the other of both counts as new.
UPDATE event_idempotency_keys
SET idempotency_key = encode(sha256(convert_to(idempotency_key, 'UTF8')), 'hex');
