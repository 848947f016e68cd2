-- Achievements: both environments share the definitions, and each has its own unlocks.

CREATE TABLE achievements (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  key text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  icon_url text NOT NULL DEFAULT '',
  points integer NOT NULL DEFAULT 0,
  -- Name and description are masked until a player has unlocked it.
  hidden boolean NOT NULL DEFAULT false,
  -- Out of the catalogue: players who have it keep it, and nobody can unlock it.
  archived boolean NOT NULL DEFAULT false,
  -- 1, 2, 3… in the order of the list.
  position integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, key)
);

CREATE TABLE achievement_unlocks (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  achievement_key text NOT NULL,
  unlocked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment, player_id, achievement_key)
);
-- For the number of players who have an achievement.
CREATE INDEX achievement_unlocks_key ON achievement_unlocks (game_id, achievement_key, environment);
