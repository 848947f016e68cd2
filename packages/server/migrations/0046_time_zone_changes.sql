-- Games whose days are being moved to another time zone. A row stays until all rollups are cut by the
-- new zone, and is deleted in the transaction that changes the zone. Like event_holds it does not
-- refer to games, so that a game can be deleted meanwhile.
CREATE TABLE time_zone_changes (
  game_id uuid PRIMARY KEY,
  time_zone text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- The part that is done, from 0 to 1.
  progress real NOT NULL DEFAULT 0
);
