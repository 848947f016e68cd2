-- Rules of boards, the ledger of their submits, and scores that the public does not see.

CREATE TYPE leaderboard_violation AS ENUM ('refuse', 'quarantine');
ALTER TABLE leaderboards
  ADD COLUMN writes_from writes_from NOT NULL DEFAULT 'anyone',
  ADD COLUMN on_violation leaderboard_violation NOT NULL DEFAULT 'refuse',
  ADD COLUMN max_gain double precision,
  -- The score from which the gain of a player's first submit counts. Null: it has no gain.
  ADD COLUMN first_gain_from double precision,
  ADD COLUMN max_gain_per_hour double precision,
  ADD COLUMN min_submit_interval_ms integer,
  ADD COLUMN required_metadata text[] NOT NULL DEFAULT '{}',
  ADD COLUMN keeps_ledger boolean NOT NULL DEFAULT false,
  ADD COLUMN ledger_days integer NOT NULL DEFAULT 30;

-- The ledger: one row a submit, in the transaction that stores the submit.
CREATE TYPE leaderboard_outcome AS ENUM ('new', 'improved', 'kept', 'quarantined', 'refused');
CREATE TABLE leaderboard_submits (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  -- The season's version when the submit was stored, a moment in microseconds, and the submit's place
  -- among those stored with it.
  version bigint NOT NULL,
  place integer NOT NULL,
  season integer NOT NULL,
  score double precision NOT NULL,
  -- The player's public score before.
  score_before double precision,
  outcome leaderboard_outcome NOT NULL,
  -- The rule that the submit breaks.
  rule text,
  submitted_at timestamptz NOT NULL,
  -- When the player last made a submit that was not refused, in milliseconds since 1970.
  counted_ms bigint,
  key_id uuid NOT NULL,
  is_verified boolean NOT NULL,
  network text NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, board_name, version, place)
);
-- Old rows are deleted board by board.
CREATE INDEX leaderboard_submits_age
  ON leaderboard_submits (game_id, environment, board_name, version);

-- Scores that the public does not see: those that wait for a decision, and decided ones as long as the
-- decision can be undone.
CREATE TYPE leaderboard_held_state AS ENUM ('waiting', 'accepted', 'removed', 'banned');
CREATE TABLE leaderboard_held_scores (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  held_id uuid NOT NULL DEFAULT gen_random_uuid(),
  state leaderboard_held_state NOT NULL DEFAULT 'waiting',
  score double precision NOT NULL,
  -- The place among equal scores, from the season's row, as of when the score was sent.
  seq bigint NOT NULL,
  player_name text,
  -- JSON, in the text that was sent.
  metadata text,
  reached_at timestamptz NOT NULL,
  score_before double precision,
  -- The rule that it breaks; null for an entry that was public.
  rule text,
  key_id uuid,
  is_verified boolean,
  network text,
  decision_id uuid,
  -- The public entry that an accepted score replaced.
  replaced_score double precision,
  replaced_seq bigint,
  replaced_player_name text,
  replaced_metadata text,
  replaced_reached_at timestamptz,
  PRIMARY KEY (game_id, environment, player_id, board_name, season, held_id)
);
ALTER TABLE leaderboard_held_scores
  ALTER COLUMN metadata SET STORAGE EXTERNAL,
  ALTER COLUMN replaced_metadata SET STORAGE EXTERNAL;
-- A player has one waiting score in a season: the best one.
CREATE UNIQUE INDEX leaderboard_held_scores_waiting
  ON leaderboard_held_scores (game_id, environment, board_name, season, player_id)
  WHERE state = 'waiting';
CREATE INDEX leaderboard_held_scores_order
  ON leaderboard_held_scores (game_id, environment, board_name, season, seq)
  WHERE state = 'waiting';
CREATE INDEX leaderboard_held_scores_decision
  ON leaderboard_held_scores (game_id, decision_id) WHERE decision_id IS NOT NULL;

CREATE TYPE leaderboard_decision_kind AS ENUM ('accept', 'remove', 'ban');
CREATE TABLE leaderboard_decisions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- Empty: all boards.
  board_name text NOT NULL,
  decision_id uuid NOT NULL,
  kind leaderboard_decision_kind NOT NULL,
  -- The banned player; null for other decisions.
  player_id text,
  reason text,
  score_count integer NOT NULL DEFAULT 0,
  -- The account.
  decided_by uuid,
  decided_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz,
  PRIMARY KEY (game_id, environment, decision_id)
);
CREATE INDEX leaderboard_decisions_order
  ON leaderboard_decisions (game_id, environment, board_name, decided_at);
-- A ban is in force until it is undone.
CREATE UNIQUE INDEX leaderboard_decisions_bans
  ON leaderboard_decisions (game_id, environment, player_id, board_name)
  WHERE kind = 'ban' AND undone_at IS NULL;
