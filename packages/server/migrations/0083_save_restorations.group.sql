-- Searches for saves that a bad build has spoiled, and their restoration.
CREATE TABLE save_restorations (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  restoration_id uuid NOT NULL,
  -- counting, ready, running, paused, done, undoing or undone; deleting: its saves are being forgotten.
  state text NOT NULL DEFAULT 'counting',
  -- What to look for.
  question jsonb NOT NULL,
  -- skip, restore or conflict; null before the start.
  played_on text,
  -- Why servers have paused the work; null if they have not.
  problem text,
  created_by text,
  created_at timestamptz NOT NULL,
  counted_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  undo_begun_at timestamptz,
  undone_at timestamptz,
  -- The saves of players up to this id have been looked at.
  after_player_id text NOT NULL DEFAULT '',
  -- The number of saves of the environment at the beginning of the count.
  saves_to_count bigint,
  counted_saves bigint NOT NULL DEFAULT 0,
  counted_players bigint NOT NULL DEFAULT 0,
  player_count bigint NOT NULL DEFAULT 0,
  save_count bigint NOT NULL DEFAULT 0,
  played_on_count bigint NOT NULL DEFAULT 0,
  hopeless_count bigint NOT NULL DEFAULT 0,
  restored_count bigint NOT NULL DEFAULT 0,
  skipped_count bigint NOT NULL DEFAULT 0,
  undone_count bigint NOT NULL DEFAULT 0,
  kept_count bigint NOT NULL DEFAULT 0,
  -- A server works on it until then, or has not begun since then.
  next_step_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, restoration_id)
);
CREATE INDEX save_restorations_active ON save_restorations (next_step_at)
  WHERE state IN ('counting', 'running', 'undoing', 'deleting');

-- The saves that a restoration has found.
CREATE TABLE restored_saves (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  slot text NOT NULL,
  restoration_id uuid NOT NULL,
  -- waiting, hopeless (no good version is kept), restored, skipped, undone, or kept (not undone).
  state text NOT NULL,
  has_played_on boolean NOT NULL,
  bad_version bigint NOT NULL,
  app_version text,
  good_version bigint,
  -- Bytes of the good version.
  size_bytes bigint NOT NULL,
  -- The newest version at the count; after the restoration, the one before it.
  version bigint NOT NULL,
  -- The version that the restoration has made.
  restored_version bigint,
  PRIMARY KEY (game_id, environment, player_id, slot, restoration_id)
);
CREATE INDEX restored_saves_of_restoration
  ON restored_saves (game_id, environment, restoration_id, state, has_played_on, player_id, slot);
