-- A hash of the player whose request had the Idempotency-Key: only the newest keys of each player are kept. Keys of
-- before have none, and end with their days.
ALTER TABLE stat_request_keys ADD COLUMN sender bigint;
CREATE INDEX stat_request_keys_sender ON stat_request_keys (game_id, sender, expires_at);
