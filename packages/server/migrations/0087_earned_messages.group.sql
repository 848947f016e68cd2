-- Messages that the server sends because players have earned them count towards no limit.
ALTER TABLE messages ADD COLUMN is_earned boolean NOT NULL DEFAULT false;
