-- Experiments over the parameters of a config.
CREATE TYPE experiment_state AS ENUM ('draft', 'running', 'stopped', 'shipped');

CREATE TABLE experiments (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  environment environment NOT NULL,
  experiment_id uuid NOT NULL DEFAULT gen_random_uuid(),
  state experiment_state NOT NULL DEFAULT 'draft',
  name text NOT NULL,
  description text,
  -- Percent of the players, as it was sent.
  share double precision NOT NULL,
  -- JSON with the condition, the variants and the metrics, kept as text so that its numbers stay as they
  -- were sent.
  definition text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The author's e-mail at the time.
  created_by text,
  started_at timestamptz,
  stopped_at timestamptz,
  shipped_variant smallint,
  PRIMARY KEY (game_id, environment, experiment_id)
);

-- The first answer with a variant that each player got.
CREATE TABLE experiment_exposures (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  experiment_id uuid NOT NULL,
  variant smallint NOT NULL,
  exposed_at timestamptz NOT NULL,
  -- The player was merged from players of different variants.
  is_mixed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (game_id, environment, player_id, experiment_id)
);
-- For results, and to delete an experiment. If it began with the game, plans made while the table is empty
-- would look players up here.
CREATE INDEX experiment_exposures_experiment ON experiment_exposures (experiment_id);
