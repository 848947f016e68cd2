-- Statistics: both environments share the definitions, and each has its own values.
CREATE TABLE stats (
  game_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- sum, max, min or latest. It stays the same while players have values.
  aggregation text NOT NULL,
  minimum numeric,
  maximum numeric,
  max_change numeric,
  writes_from writes_from NOT NULL DEFAULT 'anyone',
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, key)
);

-- The values of players: what `base` and the rows of `player_stat_hours` join to. The aggregation is that of the
-- definition, so that rows can be joined without it.
CREATE TABLE player_stats (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  aggregation text NOT NULL,
  value numeric NOT NULL,
  changed_at timestamptz NOT NULL,
  -- What hours that are no longer kept join to, and when the last change of them was.
  base numeric,
  base_at timestamptz,
  PRIMARY KEY (game_id, environment, player_id, key)
) WITH (fillfactor = 85);
-- For the question whether a player has a value of a statistic. The expressions keep plans that were made while
-- the table was empty from using this index for the value of one player.
CREATE INDEX player_stats_key ON player_stats ((key || ''), (game_id::text COLLATE "C"));

-- What the changes of an hour (UTC) join to by themselves, and when the last of them was.
CREATE TABLE player_stat_hours (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  hour timestamptz NOT NULL,
  aggregation text NOT NULL,
  value numeric NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, key, hour)
) WITH (fillfactor = 85);
-- For the hours that are no longer kept.
CREATE INDEX player_stat_hours_hour ON player_stat_hours (hour);

-- The idempotency keys of requests that have changed statistics.
CREATE TABLE stat_request_keys (
  game_id uuid NOT NULL,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  body_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, key_id, idempotency_key)
);
CREATE INDEX stat_request_keys_expiry ON stat_request_keys (expires_at);
