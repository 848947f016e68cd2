-- Players who were merged into others. Events of `from_player_id` are the player's: those that were
-- stored before the merge move in the background until `completed_at`, and later ones when they come.
CREATE TABLE player_merges (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  from_player_id text NOT NULL,
  player_id text NOT NULL,
  merged_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  event_count bigint NOT NULL,
  moved_event_count bigint NOT NULL DEFAULT 0,
  changes jsonb NOT NULL,
  PRIMARY KEY (game_id, environment, from_player_id)
);
CREATE INDEX player_merges_player ON player_merges (player_id);
CREATE INDEX player_merges_moving ON player_merges (merged_at) WHERE completed_at IS NULL;
