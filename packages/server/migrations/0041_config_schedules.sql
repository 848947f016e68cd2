CREATE TYPE config_schedule_state AS ENUM
  ('coming', 'running', 'done', 'cancelled', 'missed', 'failed');

-- Changes of a remote config that begin, and perhaps end, at a stated time. Until one is over, next_at
-- is the time of its start or its end, whichever comes next.
CREATE TABLE config_schedules (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  environment environment NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  state config_schedule_state NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz,
  next_at timestamptz,
  -- JSON, with numbers as they were sent.
  parameters text NOT NULL,
  keys text[] NOT NULL,
  -- The same parameters before the start, as JSON; null for those that the config did not have.
  previous text,
  kept_keys text[] NOT NULL DEFAULT '{}',
  problem text,
  author_id uuid,
  author text,
  started_version integer,
  ended_version integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  PRIMARY KEY (game_id, environment, id)
);

CREATE INDEX config_schedules_due ON config_schedules (next_at) WHERE next_at IS NOT NULL;

-- The scheduled change that made a version. It keeps the name, because old changes are deleted.
ALTER TABLE config_versions
  ADD COLUMN schedule_id uuid,
  ADD COLUMN schedule_name text,
  ADD COLUMN schedule_edge text;
