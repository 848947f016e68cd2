-- With the game first, plans made while the table was empty used this index for players' totals, and
-- then read the unlocks of the whole game for each player.
DROP INDEX achievement_unlocks_key;
CREATE INDEX achievement_unlocks_key ON achievement_unlocks (achievement_key, game_id, environment);
