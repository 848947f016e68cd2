-- The rows of a game's ledgers are counted, so that the oldest can be deleted at a limit.

-- Writes wait until the commit, so that the count below misses none.
LOCK TABLE leaderboard_submits IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER leaderboard_submits_added AFTER INSERT ON leaderboard_submits
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows('ledger_rows');
CREATE TRIGGER leaderboard_submits_removed AFTER DELETE ON leaderboard_submits
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_rows('ledger_rows');

INSERT INTO storage_changes
SELECT game_id, 'ledger_rows', count(*) FROM leaderboard_submits GROUP BY game_id;
