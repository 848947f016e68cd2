-- The author of a key, by account and by e-mail address at the time, because keys outlive accounts. A
-- replaced key has an expiry and names its successor. All keys of a chain of rotations name its first
-- key, under which Idempotency-Keys are stored.
ALTER TABLE api_keys
  ADD COLUMN created_by uuid,
  ADD COLUMN created_by_email text,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN replaced_by uuid,
  ADD COLUMN first_key_id uuid;
