import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../accounts/limits.ts';
import { DeviceCookie, invalidLink, Session, sessionExample } from '../accounts/login-answers.ts';
import { answer, errorAnswer, LINKS_ARE_MAILED, pageAnswer } from '../answers.ts';
import { Email, LinkToken, PageQuery, ShownLink } from '../common.ts';
import { limitReached } from '../limits.ts';
import { ROLES } from '../operation.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Members');

/** The number of days for which the link of an invitation works. */
export const INVITATION_LIFETIME_DAYS = 7;
/** The maximum number of invitations of a game that wait to be accepted. */
export const MAX_INVITATIONS = 100;

const InvitedRole = t.Enum(ROLES, 'Role that the invited person gets.');

const Invitation = t.Resource('Invitation', {
  id: t.Uuid('Id of the invitation.'),
  email: t.String('Address that the invitation was sent to.'),
  role: InvitedRole,
  invited_by: t.Nullable(t.String('E-mail address of the member who sent the invitation.')),
  created_at: t.Timestamp('When it was made, or last sent again.'),
  expires_at: t.Timestamp('When its link stops working.'),
});

const exampleInvitation = {
  id: '9a0e2f0c-37a0-4f1e-8f3c-5f1d2b7c6e90',
  email: 'noor@studio.example',
  role: 'developer',
  invited_by: 'mira@studio.example',
  created_at: '2026-03-01T09:10:00.000Z',
  expires_at: '2026-03-08T09:10:00.000Z',
};

const exampleToken = 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6dAf0Zq9XeUuI';
const invitationNotFound = errorAnswer(
  'The token is unknown, used, withdrawn or expired.',
  'Invitation not found: it was used or withdrawn, or has expired',
);
const Joined = t.Object({
  game_id: t.Uuid('Id of the game.'),
  game_name: t.String('Name of the game.'),
  role: t.Enum(ROLES, 'Role of the account in it now.'),
});
const exampleJoined = {
  game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
  game_name: 'Sky Harbour',
  role: 'developer',
};

export const listInvitations = operation('GET /v1/games/{game_id}/invitations', {
  access: 'admin',
  token_role: 'never',
  summary: 'List the invitations that wait to be accepted',
  description:
    'The oldest first. Expired invitations stay in the list for 30 days, so that they can be sent again.',
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of invitations.', 'invitations', Invitation, exampleInvitation),
  },
});

export const createInvitation = operation('POST /v1/games/{game_id}/invitations', {
  access: 'admin',
  token_role: 'never',
  summary: 'Invite somebody into a game',
  description: `Sends an e-mail with a link that works once, for ${INVITATION_LIFETIME_DAYS} days. A second invitation of an address replaces the first: a new link is sent, and the earlier one stops working. Only an owner may invite an owner. The address of the inviting account must be verified, by a link that \`POST /v1/auth/send-verification\` sends. A game has at most ${MAX_INVITATIONS} invitations that wait.`,
  body: t.Object({ email: Email, role: InvitedRole }),
  example: { email: 'noor@studio.example', role: 'developer' },
  answers: {
    201: answer('The invitation is on its way.', Invitation, exampleInvitation),
    403: limitReached(
      'The role does not allow it; the address of the inviting account is not verified (`code` EMAIL_NOT_VERIFIED); or the game has reached its limit of members or of invitations in 24 hours.',
      'daily_invitations',
    ),
    409: errorAnswer(
      'The address belongs to a member, or the game has as many invitations as it may have.',
      'noor@studio.example is a member of this game already',
    ),
  },
});

export const makeInvitationLink = operation(
  'POST /v1/games/{game_id}/invitations/{invitation_id}/link',
  {
    access: 'admin',
    token_role: 'never',
    summary: 'Make the link of an invitation',
    description:
      'For installations that send no mail. The link is shown only here, works once, until the invitation expires, and ends the earlier links of the invitation. Only an owner may make the link of an invitation as owner. The address of the calling account must be verified. Accepting by this link does not verify the invited address.',
    answers: {
      200: answer('The link.', ShownLink, {
        link: `https://overworld.example/invitations#token=${exampleToken}`,
        expires_at: exampleInvitation.expires_at,
      }),
      403: errorAnswer(
        'The role does not allow it, or the address of the calling account is not verified (`code` EMAIL_NOT_VERIFIED).',
        'Verify your e-mail address before you invite others: your account page sends you a link',
      ),
      409: errorAnswer('The server sends mail, or the invitation has expired.', LINKS_ARE_MAILED),
    },
  },
);

export const deleteInvitation = operation(
  'DELETE /v1/games/{game_id}/invitations/{invitation_id}',
  {
    access: 'admin',
    token_role: 'never',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working at once.',
    answers: { 204: { description: 'The invitation is withdrawn.' } },
  },
);

export const getInvitation = operation('GET /v1/invitations/{token}', {
  access: 'anyone',
  summary: 'Read the invitation of a link',
  description:
    'For the page that the link opens, before anybody is logged in. Having the token proves having the e-mail.',
  answers: {
    200: answer(
      'The invitation.',
      t.Object({
        game_name: t.String('Name of the game.'),
        email: t.String('Address that the invitation was sent to.'),
        role: InvitedRole,
        invited_by: Invitation.properties.invited_by,
        expires_at: Invitation.properties.expires_at,
        has_account: t.Boolean(
          'Whether the address has an account; if so, accepting asks for its password.',
        ),
      }),
      {
        game_name: 'Sky Harbour',
        email: 'noor@studio.example',
        role: 'developer',
        invited_by: 'mira@studio.example',
        expires_at: '2026-03-08T09:10:00.000Z',
        has_account: false,
      },
    ),
    404: invitationNotFound,
  },
});

export const acceptInvitation = operation('POST /v1/auth/accept-invitation', {
  access: 'anyone',
  summary: 'Accept an invitation with a password',
  description: `If the invited address has an account, \`password\` is the password of this account, and a wrong one counts as a failed login. If not, an account is made with \`password\` (${PASSWORD_MIN_LENGTH} characters or more), even while registration is closed; the link has verified the address. Answers like a login, and names the game. The token works once.`,
  body: t.Object({
    token: LinkToken,
    password: t.String('Password of the existing or the new account.', {
      maxLength: PASSWORD_MAX_LENGTH,
    }),
  }),
  example: { token: exampleToken, password: 'correct horse battery staple' },
  answers: {
    200: {
      description: 'The account is a member of the game, and logged in.',
      headers: DeviceCookie,
      body: t.Object({ ...Session.properties, ...Joined.properties }),
      example: {
        ...sessionExample,
        user: { ...sessionExample.user, email: 'noor@studio.example' },
        ...exampleJoined,
      },
    },
    400: invalidLink,
    401: errorAnswer(
      'The address has an account with another password; or, with code SECOND_FACTOR_REQUIRED as of a login, the account must do the second step and then accept.',
      'Invalid email or password',
    ),
    403: errorAnswer(
      'The account is locked or pending, or the game has reached its limit of members; `code` says which.',
      'This account is not yet activated',
    ),
  },
});

export const joinGame = operation('POST /v1/invitations/{token}/accept', {
  access: 'account',
  summary: 'Accept an invitation with the account that is logged in',
  description: 'Takes no body. The account must have the invited address. The token works once.',
  answers: {
    200: answer('The account is a member of the game.', Joined, exampleJoined),
    403: errorAnswer(
      'The invitation is for another address; or, as `code` says, the account is locked or pending or the game has reached its limit of members.',
      'This invitation is for noor@studio.example: log in with that account',
    ),
    404: invitationNotFound,
  },
});
