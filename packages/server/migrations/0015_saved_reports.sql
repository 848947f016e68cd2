-- Queries of analytics that a studio has saved under a name.
CREATE TABLE saved_reports (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, kind, name)
);
