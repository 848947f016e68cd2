-- The numbers of experiments by the day (UTC) of the first exposures, kept when no more events are waited for.
CREATE TABLE experiment_days (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  experiment_id uuid NOT NULL,
  day date NOT NULL,
  -- Raised when a player of the day is merged or erased. Numbers that were counted before are not stored.
  changes integer NOT NULL DEFAULT 0,
  -- A hash of the settings of the game by which the numbers were counted; null without numbers.
  basis text,
  outcomes jsonb,
  PRIMARY KEY (game_id, environment, experiment_id, day),
  FOREIGN KEY (game_id, environment, experiment_id) REFERENCES experiments ON DELETE CASCADE
);
