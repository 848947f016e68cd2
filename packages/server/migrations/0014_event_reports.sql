-- Funnels and similar reports read player, name and time of whole months of events. From this index alone
-- that costs a tenth of reading the events. It takes 50 bytes an event more than the index that it
-- replaces; storing an event costs the same.
DROP INDEX events_name;
CREATE INDEX events_name ON events (game_id, environment, event_name, received_at, id)
  INCLUDE (occurred_at, player_id);
