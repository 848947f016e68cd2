-- Rollups of events, sessions and active days, updated when events are processed. Days are those of
-- the game's time zone, by events.occurred_at.

CREATE TABLE event_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- Start of a quarter of an hour: the hours of every time zone begin with one.
  quarter timestamptz NOT NULL,
  event_name text NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, quarter, event_name, key_id)
) WITH (fillfactor = 80);

-- The same by day, because a report on a year would read two million quarters.
CREATE TABLE daily_event_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  event_name text NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day, event_name, key_id)
) WITH (fillfactor = 80);

-- One row a player, not one a month: its lock orders all changes of the player's days, and one read
-- shows the active days around another.
CREATE TABLE player_activity (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_day date NOT NULL,
  player_id text NOT NULL,
  -- One bit a day from first_day on, up to the last day that the player was active on.
  active_days bit varying NOT NULL,
  PRIMARY KEY (game_id, environment, player_id)
) WITH (fillfactor = 80);

-- Players who were active in the 7 or 30 days up to a day are the sum of the changes up to it.
CREATE TABLE daily_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  active_players bigint NOT NULL,
  -- Players whose first active day this is.
  new_players bigint NOT NULL,
  weekly_change bigint NOT NULL,
  monthly_change bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day)
) WITH (fillfactor = 50);

-- Players with this first day who were active `day_number` days after it; day 0 is the first day.
CREATE TABLE retention_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_day date NOT NULL,
  day_number integer NOT NULL,
  player_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, first_day, day_number)
) WITH (fillfactor = 80);

-- Sessions by the day of their start and by length, as the number of bounds not above the length.
CREATE TABLE daily_sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  length_class integer NOT NULL,
  session_count bigint NOT NULL,
  -- Sessions that name a player.
  player_session_count bigint NOT NULL,
  total_seconds bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day, length_class)
) WITH (fillfactor = 50);

-- Events and requests of each API key, by the day of receipt.
CREATE TABLE daily_receipts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  late_count bigint NOT NULL,
  wrong_clock_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day, key_id)
) WITH (fillfactor = 50);

-- Problems that only the request shows. They are gathered in memory, so a crash loses the newest.
CREATE TABLE daily_track_problems (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  -- Empty where the problem is not about the schema of an event.
  event_name text NOT NULL,
  warned_count bigint NOT NULL,
  refused_count bigint NOT NULL,
  repeated_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day, key_id, event_name)
);

-- The session before the last batch that changed it, for the statement that counts the change.
ALTER TABLE sessions
  ADD COLUMN previous_started_at timestamptz,
  ADD COLUMN previous_last_event_at timestamptz;

-- Events received before this time were dropped with their partitions; null: none were.
ALTER TABLE games ADD COLUMN events_kept_since timestamptz;

-- Games whose events wait in the inbox until a rebuild of their rollups is done.
CREATE TABLE event_holds (
  game_id uuid PRIMARY KEY,
  held_at timestamptz NOT NULL DEFAULT now()
);

-- For events that are here already, the server makes rollups when it starts, game by game.
INSERT INTO event_holds (game_id)
SELECT id FROM games
WHERE EXISTS (SELECT FROM events WHERE events.game_id = games.id)
   OR EXISTS (SELECT FROM sessions WHERE sessions.game_id = games.id);
