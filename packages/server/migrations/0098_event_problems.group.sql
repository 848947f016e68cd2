-- The kinds of problems of events that were refused or stored with a warning, with a sample of each kind.
CREATE TABLE event_problems (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  -- A hash of the next four columns, whose texts may be too long for an index.
  kind_hash text NOT NULL,
  kind text NOT NULL,
  -- Empty if the events have no name.
  event_name text NOT NULL,
  path text NOT NULL,
  message text NOT NULL,
  event_count bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- One of the events, which may be cut, with the time at which it came and the player whom it names.
  sample text,
  sample_at timestamptz,
  player_id text,
  PRIMARY KEY (game_id, environment, key_id, kind_hash)
);
