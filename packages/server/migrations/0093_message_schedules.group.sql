-- Messages that are sent again and again, on days of the week at an hour of the game's zone.
CREATE TABLE message_schedules (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  schedule_id uuid NOT NULL,
  -- The members of a message that do not depend on the time.
  content json NOT NULL,
  hour smallint NOT NULL,
  -- 1 is Monday.
  weekdays smallint[] NOT NULL,
  lasts_hours integer NOT NULL,
  paused boolean NOT NULL,
  -- The next day on which it is sent, in the zone that the game has then.
  next_day date NOT NULL,
  last_sent_at timestamptz,
  problem text,
  author_id uuid,
  author text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, schedule_id)
);
CREATE INDEX message_schedules_due ON message_schedules (next_day) WHERE NOT paused;
