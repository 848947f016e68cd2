-- With the game first, this index was taken for the totals of players while the table was still
-- empty, and then read the unlocks of the whole game for each player.
DROP INDEX achievement_unlocks_key;
CREATE INDEX achievement_unlocks_key ON achievement_unlocks (achievement_key, game_id, environment);
