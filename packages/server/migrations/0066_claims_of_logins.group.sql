-- True for a login that took its player over by naming its id, while nobody vouched for it, and for the
-- logins that such a login has added. The logins of before cannot be told apart; they count as vouched for.
ALTER TABLE player_identities ADD COLUMN is_claim boolean NOT NULL DEFAULT false;
ALTER TABLE player_move_codes ADD COLUMN is_claim boolean NOT NULL DEFAULT false;
