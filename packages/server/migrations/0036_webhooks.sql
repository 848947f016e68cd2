-- Addresses of a game that get events of the service.
CREATE TABLE webhooks (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  url text NOT NULL,
  description text NOT NULL,
  environments text[] NOT NULL,
  events text[] NOT NULL,
  sealed_secret text NOT NULL,
  old_sealed_secret text,
  old_secret_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  disabled_reason text,
  failing_since timestamptz,
  dropped_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (game_id, id)
);

-- Messages to webhooks: those that wait, and the record of the others.
CREATE TABLE webhook_deliveries (
  game_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  webhook_id uuid NOT NULL,
  event_type text NOT NULL,
  environment environment,
  -- The player whom the message names, so that it goes when the player is erased.
  player_id text,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null: not tried again.
  next_attempt_at timestamptz DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- Attempts since the message was made or sent again by hand; -1: it is tried once.
  step integer NOT NULL DEFAULT 0,
  -- Until then one server sends it, and no other takes it.
  leased_until timestamptz,
  delivered_at timestamptz,
  last_attempt_at timestamptz,
  answer_status integer,
  answer_text text,
  error text,
  duration_ms integer,
  PRIMARY KEY (game_id, id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (game_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_record
  ON webhook_deliveries (game_id, webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_player ON webhook_deliveries (game_id, environment, player_id)
  WHERE player_id IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- Shares of the quota that were announced, so that each is announced once a month.
CREATE TABLE announced_quota_steps (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  month date NOT NULL,
  percent integer NOT NULL,
  PRIMARY KEY (game_id, month, percent)
);

-- Saves and conflicts of each hour.
CREATE TABLE hourly_save_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  hour timestamptz NOT NULL,
  saves bigint NOT NULL,
  conflicts bigint NOT NULL,
  is_announced boolean NOT NULL DEFAULT false,
  PRIMARY KEY (game_id, environment, hour)
);
CREATE INDEX hourly_save_counts_age ON hourly_save_counts (hour);

-- Seasons end while nobody plays, too: a worker finds those whose end was not announced.
ALTER TABLE leaderboard_seasons ADD COLUMN end_announced_at timestamptz;
CREATE INDEX leaderboard_seasons_to_announce ON leaderboard_seasons (ends_at)
  WHERE end_announced_at IS NULL AND ended_at IS NULL AND ends_at IS NOT NULL;
