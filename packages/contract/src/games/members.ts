import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { GameId, PageQuery } from '../common.ts';
import { ROLES } from '../operation.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_API_KEYS } from './api-keys.ts';

const operation = operationsIn('Members');

const RoleName = t.Enum(
  ROLES,
  'viewer reads; developer can also change definitions, config, players and development keys; admin also production keys and members, and can delete; owner also the game itself.',
);

const Member = t.Resource('Member', {
  account_id: t.Uuid('Id of the account.'),
  email: t.String('E-mail address of the account.'),
  role: RoleName,
  joined_at: t.Timestamp('When the account became a member.'),
});

const exampleMember = {
  account_id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
  email: 'mira@studio.example',
  role: 'developer',
  joined_at: '2026-03-01T09:00:00.000Z',
};

const lastOwner = errorAnswer(
  'It is the last owner, and a game needs one.',
  'A game needs an owner: make another member owner first',
);
const memberNotFound = errorAnswer(
  'The account or the caller is no member of the game.',
  'Member not found',
);

const memberParams = t.Object({
  game_id: GameId,
  account_id: t.Uuid('Id of the account.'),
});

export const listMembers = operation('GET /v1/games/{game_id}/members', {
  access: 'viewer',
  summary: 'List the members of a game',
  description: 'In the order in which they joined the game.',
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of members.', 'members', Member, exampleMember),
  },
});

export const updateMember = operation('PATCH /v1/games/{game_id}/members/{account_id}', {
  access: 'admin',
  token_role: 'never',
  summary: "Change a member's role",
  description:
    'Only an owner may give or take the role owner. The last owner keeps it, however many changes are made at the same time.',
  params: memberParams,
  body: t.Object({ role: RoleName }),
  example: { role: 'developer' },
  answers: {
    200: answer('The member as it is now.', Member, exampleMember),
    404: memberNotFound,
    409: lastOwner,
  },
});

export const removeMember = operation('DELETE /v1/games/{game_id}/members/{account_id}', {
  access: 'viewer',
  token_role: 'never',
  summary: 'Remove a member, or leave',
  description:
    'Every member may leave. Removing others needs the role admin, removing an owner the role owner. The last owner can neither leave nor be removed. Keys that the member made continue to work unless `revoke_api_keys` names them. Access tokens of the member never reach the game again. Either everything is done or nothing.',
  params: memberParams,
  query: t.Object({
    revoke_api_keys: t.Optional(
      t.Array(t.Uuid('Id of an API key of the game.'), {
        maxItems: MAX_API_KEYS,
        description:
          'API keys to revoke in the same step, such as those that the member made; may be given several times. Revoking a production key needs the role admin.',
      }),
    ),
  }),
  answers: {
    204: { description: 'The account is no member any more, and the keys are revoked.' },
    404: {
      ...memberNotFound,
      description:
        'The account or the caller is no member of the game, or the game has no such API key.',
    },
    409: lastOwner,
  },
});
