-- The newest deletion of many players in each environment.
CREATE TABLE player_deletions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  deletion_id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The query of the search that finds the players.
  conditions jsonb NOT NULL,
  player_count bigint NOT NULL,
  deleted_count bigint NOT NULL DEFAULT 0,
  -- The players up to this id have been deleted or left out.
  after_player_id text NOT NULL DEFAULT '',
  begun_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  next_step_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment)
);
