-- Messages to players: one row a message, however many players it is for.
CREATE TABLE messages (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  message_id uuid NOT NULL,
  -- The player whom it is for; null for a message to many.
  player_id text,
  -- The players whom a message to many is for, with the conditions of a saved segment copied.
  audience json,
  -- Of a segment without joiners, whose members are in message_members. The conditions of all others are judged
  -- when the game asks.
  member_count bigint,
  title text NOT NULL,
  text text NOT NULL,
  translations json NOT NULL,
  data json NOT NULL,
  rewards json NOT NULL,
  reason text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz,
  sent_at timestamptz NOT NULL,
  created_by text,
  recalled_at timestamptz,
  PRIMARY KEY (game_id, environment, message_id)
);
CREATE INDEX messages_player ON messages (game_id, environment, player_id, starts_at DESC)
  WHERE player_id IS NOT NULL;
CREATE INDEX messages_shared ON messages (game_id, environment, sent_at DESC) WHERE player_id IS NULL;
CREATE INDEX messages_sent_at ON messages (game_id, environment, sent_at DESC, message_id);
CREATE INDEX messages_over ON messages ((LEAST(ends_at, recalled_at)))
  WHERE ends_at IS NOT NULL OR recalled_at IS NOT NULL;

-- The members of a segment at the time of sending: of each, the first 8 bytes of the SHA-256 of the id of the
-- message, a space and the id of the player, in 256 parts by the first byte.
CREATE TABLE message_members (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  message_id uuid NOT NULL,
  part smallint NOT NULL,
  members bytea NOT NULL,
  PRIMARY KEY (game_id, environment, message_id, part)
);

-- What players have done with messages. A player who has done nothing with a message has no row.
CREATE TABLE message_states (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  message_id uuid NOT NULL,
  read_at timestamptz,
  claimed_at timestamptz,
  deleted_at timestamptz,
  -- The rewards that the claim has given.
  rewards json,
  PRIMARY KEY (game_id, environment, player_id, message_id)
);
CREATE INDEX message_states_message ON message_states (message_id, game_id, environment, player_id);
