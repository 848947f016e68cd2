-- Metrics that a studio defines once, for charts, dashboards and alerts.
CREATE TABLE metrics (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  key text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  -- The events and what is made of them, without members that are left out.
  definition jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, key)
);

-- The metric that an alert watches; null for the numbers that every game has.
ALTER TABLE alerts ADD COLUMN metric_key text;
