-- The last changes of properties and tags that games made, for the story of players. A player has a hundred
-- places, and the change of each number is written to the place of the one a hundred before it.
CREATE TABLE player_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  place smallint NOT NULL,
  number integer NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  properties json,
  added_tag text,
  removed_tag text,
  PRIMARY KEY (game_id, environment, player_id, place)
);

-- Twice the number of changes, and one more if the last write was one.
ALTER TABLE players ADD COLUMN change_count integer NOT NULL DEFAULT 0;
