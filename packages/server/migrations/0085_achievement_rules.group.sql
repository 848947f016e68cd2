-- Conditions on statistics, all of which unlock the achievement: [{"stat": …, "at_least": …}].
ALTER TABLE achievements ADD COLUMN unlock_when jsonb NOT NULL DEFAULT '[]';

-- Grants of achievements to all players of an environment who had earned them already.
CREATE TABLE achievement_grants (
  game_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  environment environment NOT NULL,
  achievement_key text NOT NULL,
  unlock_when jsonb NOT NULL,
  -- running, done, undoing or undone
  state text NOT NULL DEFAULT 'running',
  player_count bigint NOT NULL,
  granted_count bigint NOT NULL DEFAULT 0,
  -- The next piece begins after this player.
  after_player_id text NOT NULL DEFAULT '',
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  next_piece_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, id)
);
CREATE INDEX achievement_grants_open ON achievement_grants (next_piece_at) WHERE ended_at IS NULL;

-- The players who have got an achievement by a grant, for its undo.
CREATE TABLE granted_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  grant_id uuid NOT NULL,
  unlocked_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, grant_id)
);
CREATE INDEX granted_players_grant ON granted_players (game_id, grant_id, player_id);
