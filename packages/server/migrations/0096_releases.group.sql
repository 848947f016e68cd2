-- The versions of a game, noticed from the property `app_version` of `session_start`.
CREATE TABLE releases (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  version text NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The earliest start of a session with the version.
  first_started_at timestamptz NOT NULL,
  noticed_at timestamptz NOT NULL,
  -- Counted only until the version is no longer rare, so that ingest seldom writes here.
  start_count integer NOT NULL,
  name text,
  note text,
  is_hidden boolean NOT NULL DEFAULT false,
  PRIMARY KEY (game_id, environment, version)
);
-- Versions before this migration are known only as those that players began with.
INSERT INTO releases (game_id, environment, version, first_started_at, noticed_at, start_count)
SELECT game_id, environment, version, first_started_at, first_started_at, LEAST(players, 20)
FROM (
  SELECT game_id, environment, properties ->> 'first_version' AS version,
         min(first_seen_at) AS first_started_at, count(*) AS players,
         row_number() OVER (PARTITION BY game_id, environment ORDER BY count(*) DESC) AS place
  FROM players
  WHERE jsonb_typeof(properties -> 'first_version') = 'string'
    AND length(properties ->> 'first_version') BETWEEN 1 AND 64
  GROUP BY 1, 2, 3
) AS begun
WHERE place <= 200;
