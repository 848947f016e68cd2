-- Mails are sent in turn by who has caused them. The release before posts without both: at once.
ALTER TABLE mail_outbox
  ADD COLUMN owner text NOT NULL DEFAULT '',
  ADD COLUMN turn bigint NOT NULL DEFAULT 0;

CREATE INDEX mail_outbox_owners ON mail_outbox (owner, turn);
