import { Type } from 'typebox';
import { MAX_API_KEYS } from './api-keys.ts';
import {
  errorAnswer,
  GameId,
  merge,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from '../common.ts';
import { defineOperation, ROLES } from '../operation.ts';

const group = 'Members';

const RoleName = Type.Enum([...ROLES], {
  description:
    'viewer reads; developer also edits definitions, config, players and development keys; admin also production keys, members and deletions; owner also the game itself.',
});

const Member = Resource('Member', {
  account_id: Uuid('Id of the account.'),
  email: Type.String({ description: 'E-mail address of the account.' }),
  role: RoleName,
  joined_at: Timestamp('When the account became a member.'),
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
  'The account is no member of the game, or the caller is none.',
  'Member not found',
);

const params = Type.Object({ game_id: GameId });
const memberParams = merge(params, Type.Object({ account_id: Uuid('Id of the account.') }));

export const listMembers = defineOperation({
  id: 'listMembers',
  method: 'GET',
  path: '/v1/games/{game_id}/members',
  access: 'viewer',
  group,
  summary: 'List the members of a game',
  description: 'In the order in which they joined.',
  params,
  query: PageQuery,
  answers: {
    200: {
      description: 'A page of members.',
      body: PageOf('members', Member),
      example: { members: [exampleMember], next_cursor: null },
    },
  },
});

export const updateMember = defineOperation({
  id: 'updateMember',
  method: 'PATCH',
  path: '/v1/games/{game_id}/members/{account_id}',
  access: 'admin',
  group,
  summary: "Change a member's role",
  description:
    'Only an owner may make somebody owner, or take that role away. The last owner keeps it, however many changes are made at the same time.',
  params: memberParams,
  body: Type.Object({ role: RoleName }),
  example: { role: 'developer' },
  answers: {
    200: { description: 'The member as it is now.', body: Member, example: exampleMember },
    404: memberNotFound,
    409: lastOwner,
  },
});

export const removeMember = defineOperation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/games/{game_id}/members/{account_id}',
  access: 'viewer',
  group,
  summary: 'Remove a member, or leave',
  description:
    'Everybody may leave. Removing others needs the role admin, removing an owner the role owner. The last owner can neither leave nor be removed. Keys that the member made go on working, unless `revoke_api_keys` names them: all of that is done, or nothing.',
  params: memberParams,
  query: Type.Object({
    revoke_api_keys: Type.Optional(
      Type.Array(Uuid('Id of an API key of the game.'), {
        maxItems: MAX_API_KEYS,
        description:
          'API keys to revoke in the same step, such as those that the member made; may be given several times. For production it needs the role admin.',
      }),
    ),
  }),
  answers: {
    204: { description: 'The account is no member any more, and the keys are revoked.' },
    404: {
      ...memberNotFound,
      description:
        'The account is no member of the game, or the caller is none; or the game has no such API key.',
    },
    409: lastOwner,
  },
});
