-- Rules that tell members and webhooks when a number is not as it should be.
CREATE TABLE alerts (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  environment environment NOT NULL,
  name text NOT NULL,
  metric text NOT NULL,
  event_name text,
  period text NOT NULL,
  comparison text NOT NULL,
  threshold double precision NOT NULL,
  baseline text NOT NULL,
  cool_down_hours integer NOT NULL,
  muted boolean NOT NULL,
  account_ids uuid[] NOT NULL,
  webhook_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'unknown',
  state_since timestamptz NOT NULL DEFAULT now(),
  last_period timestamptz,
  last_value double precision,
  last_baseline_value double precision,
  next_check_at timestamptz NOT NULL,
  -- When it last told that it fires, and whether it has yet to tell that it no longer does.
  notified_at timestamptz,
  is_notified boolean NOT NULL DEFAULT false,
  tested_at timestamptz,
  PRIMARY KEY (game_id, id)
);
CREATE INDEX alerts_due ON alerts (next_check_at);

-- Changes of the states of alerts.
CREATE TABLE alert_changes (
  game_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  alert_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL,
  period_started_at timestamptz NOT NULL,
  value double precision,
  baseline_value double precision,
  notified boolean NOT NULL,
  PRIMARY KEY (game_id, id)
);
CREATE INDEX alert_changes_of_alert ON alert_changes (game_id, alert_id, at DESC, id DESC);
CREATE INDEX alert_changes_age ON alert_changes (at);
