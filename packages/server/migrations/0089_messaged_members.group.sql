-- A message to the members of a segment of one time is sent when its members are stored, in the background.
ALTER TABLE messages ADD COLUMN is_sending boolean NOT NULL DEFAULT false;
-- The moment whose members have the message; null for a message that is not for the members of one time.
ALTER TABLE messages ADD COLUMN members_at timestamptz;
UPDATE messages SET members_at = sent_at WHERE member_count IS NOT NULL;
CREATE INDEX messages_sending ON messages (game_id, sent_at) WHERE is_sending;

-- The members, in 16,384 parts by the first 14 bits of the SHA-256 of the id of the player, of which each member
-- has the first 8 bytes. So all that a player's list needs is in one part, and the parts of a message to a million
-- players have 500 bytes each. Part -1 has the players who were erased or merged while the members are being
-- stored: of each the player who ended, and the one who stays or eight zero bytes.
CREATE TABLE messaged_members (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  part smallint NOT NULL,
  message_id uuid NOT NULL,
  members bytea NOT NULL,
  PRIMARY KEY (game_id, environment, part, message_id)
);
-- The earlier table had other hashes: of the id of the message, a space and the id of the player.
INSERT INTO messaged_members (game_id, environment, part, message_id, members)
SELECT game_id, environment, ((get_byte(hash, 0) << 8 | get_byte(hash, 1)) >> 2)::smallint, message_id,
       string_agg(hash, ''::bytea)
FROM (
  SELECT messages.game_id, messages.environment, messages.message_id,
         substr(sha256(convert_to(players.player_id, 'UTF8')), 1, 8) AS hash
  FROM messages
  JOIN players ON players.game_id = messages.game_id AND players.environment = messages.environment
  CROSS JOIN LATERAL (
    SELECT substr(sha256(convert_to(messages.message_id::text || ' ' || players.player_id, 'UTF8')), 1, 8)
      AS earlier_hash
  ) AS known
  JOIN message_members AS earlier ON earlier.game_id = messages.game_id
    AND earlier.environment = messages.environment AND earlier.message_id = messages.message_id
    AND earlier.part = get_byte(earlier_hash, 0)
  WHERE messages.member_count IS NOT NULL AND position(earlier_hash IN earlier.members) > 0
) AS members
GROUP BY 1, 2, 3, 4;
DROP TABLE message_members;
