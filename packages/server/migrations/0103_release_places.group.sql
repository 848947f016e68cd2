-- The starts of a version and of the one that it replaced. The version with the least weight gives up its place.
-- Lower than `start_count` for versions of earlier servers.
ALTER TABLE releases ADD COLUMN weight bigint NOT NULL DEFAULT 0;
-- The earliest starts of sessions, in order, in microseconds after `noticed_at`. Empty for versions of earlier servers.
ALTER TABLE releases ADD COLUMN earliest_starts bigint[] NOT NULL DEFAULT '{}';
-- Ingest notices no versions that nobody can see, but 0096 did.
DELETE FROM releases
WHERE name IS NULL AND note IS NULL
  AND version !~ '[^[:space:]\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001d159\U000e0000-\U000e0fff]';
