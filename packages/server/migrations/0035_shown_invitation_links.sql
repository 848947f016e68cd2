-- Links that were shown to the inviting account prove nothing about the invited address.
ALTER TABLE invitations ADD COLUMN link_shown boolean NOT NULL DEFAULT false;
