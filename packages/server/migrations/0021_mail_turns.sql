-- Mails are sent by turns of their owners. Mails of the previous release have neither and are sent first.
ALTER TABLE mail_outbox
  ADD COLUMN owner text NOT NULL DEFAULT '',
  ADD COLUMN turn bigint NOT NULL DEFAULT 0;

CREATE INDEX mail_outbox_owners ON mail_outbox (owner, turn);
