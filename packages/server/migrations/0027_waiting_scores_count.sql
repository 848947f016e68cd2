-- Scores that wait for a decision count as entries of boards, so that games cannot store any number of
-- them. Decided ones do not: a member of the game has decided each, and they are deleted in time.
CREATE FUNCTION count_waiting_scores() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO storage_changes
    SELECT game_id, 'leaderboard_entries', count(*) FROM added
    WHERE state = 'waiting' GROUP BY game_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO storage_changes
    SELECT game_id, 'leaderboard_entries', -count(*) FROM removed
    WHERE state = 'waiting' GROUP BY game_id;
  ELSE
    INSERT INTO storage_changes
    SELECT game_id, 'leaderboard_entries', sum(change)
    FROM (SELECT game_id, 1 AS change FROM added WHERE state = 'waiting'
          UNION ALL
          SELECT game_id, -1 FROM removed WHERE state = 'waiting') AS changed
    GROUP BY game_id
    HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Writes wait until the commit, so that the count below misses none.
LOCK TABLE leaderboard_held_scores IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER leaderboard_held_scores_added AFTER INSERT ON leaderboard_held_scores
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();
CREATE TRIGGER leaderboard_held_scores_changed AFTER UPDATE ON leaderboard_held_scores
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();
CREATE TRIGGER leaderboard_held_scores_removed AFTER DELETE ON leaderboard_held_scores
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();

INSERT INTO storage_changes
SELECT game_id, 'leaderboard_entries', count(*) FROM leaderboard_held_scores
WHERE state = 'waiting' GROUP BY game_id;
