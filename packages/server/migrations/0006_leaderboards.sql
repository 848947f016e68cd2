-- Boards and their seasons. Each server keeps copies of the rankings in memory. These tables hold the
-- truth, and a season's version tells whether a copy is current.

CREATE TYPE leaderboard_order AS ENUM ('descending', 'ascending');
CREATE TYPE leaderboard_reset_schedule AS ENUM ('none', 'daily', 'weekly', 'monthly');

-- Every board of a game has a row from its first submit on; its settings hold in both environments.
CREATE TABLE leaderboards (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  board_name text NOT NULL,
  sort_order leaderboard_order NOT NULL DEFAULT 'descending',
  reset_schedule leaderboard_reset_schedule NOT NULL DEFAULT 'none',
  min_score double precision,
  max_score double precision,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, board_name)
);

-- The current season of a board is the one with the highest number. Every change of the season, its
-- entries or the board's settings locks its row.
CREATE TABLE leaderboard_seasons (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  -- The board's order while the season was current. Past seasons keep theirs.
  sort_order leaderboard_order NOT NULL,
  -- The moment of the last change, in microseconds since 1970, and at least one more than before.
  version bigint NOT NULL,
  total_entries integer NOT NULL DEFAULT 0,
  next_entry_number integer NOT NULL DEFAULT 0,
  next_seq bigint NOT NULL DEFAULT 1,
  started_at timestamptz NOT NULL,
  -- When the schedule ends it. Null: it only ends by hand.
  ends_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (game_id, environment, board_name, season)
  -- Every submit updates its season's row. Room on the page keeps that from touching an index.
) WITH (fillfactor = 50);

CREATE TABLE leaderboard_entries (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  -- 0, 1, 2… in the order of first submits: small, and kept when the score changes, so that the
  -- rank order in memory is arrays by this number and a better score touches no index.
  entry_number integer NOT NULL,
  score double precision NOT NULL,
  -- Raised over the season by every change of a score: of equal scores the lower ranks higher.
  seq bigint NOT NULL,
  player_name text,
  -- JSON, in the text that was sent.
  metadata text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, board_name, season)
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX leaderboard_entries_number
  ON leaderboard_entries (game_id, environment, board_name, season, entry_number);
-- The embedded PostgreSQL has no fast compression.
ALTER TABLE leaderboard_entries ALTER COLUMN metadata SET STORAGE EXTERNAL;

-- The log of changes, one row for each version of a season, by which servers update their copies. Only
-- the newest rows are kept; a copy that is further behind is read anew.
CREATE TABLE leaderboard_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  version bigint NOT NULL,
  previous_version bigint NOT NULL,
  -- JSON: [[entry_number, score, seq], …]; a removed entry is [entry_number].
  changes text NOT NULL,
  PRIMARY KEY (game_id, environment, board_name, season, version)
);
ALTER TABLE leaderboard_changes ALTER COLUMN changes SET STORAGE EXTERNAL;
