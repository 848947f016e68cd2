-- Remote config: every version of an environment's parameters, the highest is the current one.

CREATE TABLE config_versions (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  environment environment NOT NULL,
  version integer NOT NULL,
  -- JSON, kept as text so that its numbers stay as they were sent.
  parameters text NOT NULL,
  parameter_count integer NOT NULL,
  -- Set when the version was made by a return to an earlier one.
  restored_version integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The author's e-mail at the time; null for the server's own command line.
  created_by text,
  PRIMARY KEY (game_id, environment, version)
);
