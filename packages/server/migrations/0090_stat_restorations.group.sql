-- Searches for changes of statistics in a range of hours, and their restoration.
CREATE TABLE stat_restorations (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  restoration_id uuid NOT NULL,
  -- counting, ready, running, paused, done, undoing or undone; deleting: its values are being forgotten.
  state text NOT NULL DEFAULT 'counting',
  -- What to look for.
  question jsonb NOT NULL,
  -- skip or to_bound; null before the start.
  out_of_bounds text,
  -- Why servers have paused the work; null if they have not.
  problem text,
  created_by text,
  created_at timestamptz NOT NULL,
  counted_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  undo_begun_at timestamptz,
  undone_at timestamptz,
  -- The values of players up to this id have been looked at.
  after_player_id text NOT NULL DEFAULT '',
  -- The number of values of these statistics at the beginning of the count.
  values_to_count bigint,
  counted_values bigint NOT NULL DEFAULT 0,
  counted_players bigint NOT NULL DEFAULT 0,
  player_count bigint NOT NULL DEFAULT 0,
  value_count bigint NOT NULL DEFAULT 0,
  out_of_bounds_count bigint NOT NULL DEFAULT 0,
  restored_count bigint NOT NULL DEFAULT 0,
  skipped_count bigint NOT NULL DEFAULT 0,
  undone_count bigint NOT NULL DEFAULT 0,
  kept_count bigint NOT NULL DEFAULT 0,
  -- A server works on it until then, or has not begun since then.
  next_step_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, restoration_id)
);
CREATE INDEX stat_restorations_active ON stat_restorations (next_step_at)
  WHERE state IN ('counting', 'running', 'undoing', 'deleting');

-- The values that a restoration has found.
CREATE TABLE restored_stats (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  restoration_id uuid NOT NULL,
  -- waiting, restored, skipped, undone, or kept (not undone).
  state text NOT NULL,
  is_out_of_bounds boolean NOT NULL,
  -- The value at the count, and the one without the changes; after a restoration or its undo, those before and
  -- after it.
  value numeric,
  value_after numeric,
  -- The hours that were taken: [{hour, value, changed_at}].
  taken jsonb,
  -- What was added in the hour of the restoration, so that the value stays inside its bounds.
  correction numeric,
  PRIMARY KEY (game_id, environment, player_id, key, restoration_id)
);
CREATE INDEX restored_stats_of_restoration
  ON restored_stats (game_id, environment, restoration_id, state, player_id, key);
