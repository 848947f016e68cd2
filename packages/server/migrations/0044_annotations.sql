-- Moments that charts show, written by members. Others are read from the audit log.
CREATE TABLE annotations (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  environment environment NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- In the time zone of the game.
  day date NOT NULL,
  -- Null: all of the day.
  at timestamptz,
  text text NOT NULL,
  author_id uuid,
  author_email text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, id)
);
CREATE INDEX annotations_day ON annotations (game_id, environment, day);

-- The entries that charts show, among the many others of a game.
CREATE INDEX audit_log_moments ON audit_log (game_id, at)
  WHERE action IN ('put_config', 'roll_back_config', 'start_config_schedule',
    'end_config_schedule', 'rotate_api_key');
