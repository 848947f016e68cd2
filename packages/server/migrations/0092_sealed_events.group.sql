-- The events of past days by column, made from the rows of events, which stay the source. Deleting the row of a
-- day makes readers take the rows, until the day is sealed again.
CREATE TABLE sealed_days (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- The UTC day on which the events were received.
  day date NOT NULL,
  version uuid NOT NULL,
  -- Null while the day is being sealed.
  sealed_at timestamptz,
  -- Null if the day was not sealed, because it has too few or too many events.
  event_count bigint,
  -- The sessions of the day, as written by the codec.
  sessions bytea,
  PRIMARY KEY (game_id, environment, day)
);

-- The parts of sealed days: some events of one name. Each has a row with an empty column name, which lists the
-- columns, and a row for each large column.
CREATE TABLE sealed_events (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  event_name text NOT NULL,
  part integer NOT NULL,
  column_name text NOT NULL,
  event_count integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (game_id, environment, day, event_name, part, column_name)
);

-- The numbers by which sealed events name players. After a merge, a player has several.
CREATE TABLE sealed_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  number bigint NOT NULL,
  player_id text NOT NULL,
  -- The number of the merge that last gave this number to another player; 0 if there was none.
  merge_number bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (game_id, environment, number)
);
CREATE INDEX sealed_players_player ON sealed_players (game_id, environment, player_id, number);
CREATE INDEX sealed_players_merged ON sealed_players (game_id, environment, merge_number)
  WHERE merge_number > 0;

CREATE TABLE sealed_tenants (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- The next number of a player. It never falls, so that no number is given twice.
  next_number bigint NOT NULL DEFAULT 0,
  merge_count bigint NOT NULL DEFAULT 0,
  -- A secret, so that nobody can send sessions whose hashes collide.
  session_seed bigint NOT NULL,
  PRIMARY KEY (game_id, environment)
);
