-- Messages that the server sends because players have earned them count towards no limit.
ALTER TABLE messages ADD COLUMN is_earned boolean NOT NULL DEFAULT false;
UPDATE messages SET is_earned = true
FROM leaderboard_rewarded_players AS rewarded
WHERE rewarded.game_id = messages.game_id AND rewarded.environment = messages.environment
  AND rewarded.player_id = messages.player_id AND rewarded.message_id = messages.message_id;
