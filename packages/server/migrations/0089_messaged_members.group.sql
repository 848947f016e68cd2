-- A message to the members of a segment of one time is sent when its members are stored, in the background.
ALTER TABLE messages ADD COLUMN is_sending boolean NOT NULL DEFAULT false;
-- The moment whose members have the message; null for a message that is not for the members of one time.
ALTER TABLE messages ADD COLUMN members_at timestamptz;
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
-- The earlier table had other hashes. No release has filled it.
DROP TABLE message_members;
