-- Who made a key, by account and by the address it had then, because accounts go and keys stay; until
-- when a replaced key works, which key replaced it, and which was the first of those that replaced one
-- another: requests are known by their Idempotency-Key under that one.
ALTER TABLE api_keys
  ADD COLUMN created_by uuid,
  ADD COLUMN created_by_email text,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN replaced_by uuid,
  ADD COLUMN first_key_id uuid;
