import { INVITATION_LIFETIME_DAYS } from '@overworld/contract/games/invitations';
import type { Queryable } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail, toPlainName } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';
import { findInvitation, makeInvitationToken } from './invitation-store.ts';

interface InvitationMail {
  game_id: string;
  invitation_id: string;
}

export const postInvitationMail = (tx: Queryable, invitation: InvitationMail, ip: string | null) =>
  postMail(tx, 'invitation', invitation, { ip });

/** Defines the mail of an invitation. Its link is made when the mail is sent. */
export function defineInvitationMail({ outbox, database, public_url }: Api): void {
  outbox.define<InvitationMail>('invitation', async ({ game_id, invitation_id }) => {
    const invitation = await findInvitation(database, game_id, invitation_id);
    const token = await makeInvitationToken(database, game_id, invitation_id);
    if (invitation === null || token === null) return null;
    const { email, role, game_name, invited_by } = invitation;
    return composeMail({
      to: email,
      // The subject does not contain the name of the game: anybody can choose the name of a game, and a link
      // in it would look like a link of ours.
      subject: 'Invitation to a game in Overworld',
      paragraphs: [
        `${invited_by ?? 'Somebody'} invites you to work on a game in Overworld, as ${role}. The game is called “${toPlainName(game_name)}”.`,
      ],
      action: { label: 'See the invitation', url: `${public_url}/invitations#token=${token}` },
      note: `The link works once, for ${INVITATION_LIFETIME_DAYS} days. If you do not know what this is about, there is nothing to do.`,
    });
  });
}
