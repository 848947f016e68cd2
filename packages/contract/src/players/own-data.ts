import { errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { eventsMove, exported } from './dashboard.ts';
import { playerTokenHeader } from './login-fields.ts';
import {
  ADDED_LOGIN_HOURS,
  MAX_OWN_DATA_CALLS_PER_MINUTE,
  NEW_LOGIN_MINUTES,
} from './login-limits.ts';

const operation = operationsIn('Players');

const headers = playerTokenHeader('required with a client key');
const callers = `The player itself calls this with its player token, within ${NEW_LOGIN_MINUTES} minutes after a login; a renewed token of an earlier login is refused, because it may be a stolen one. A login that was added to the player less than ${ADDED_LOGIN_HOURS} hours ago is refused too, unless the player is as new. A server key may name any player, without a player token. A network may begin ${MAX_OWN_DATA_CALLS_PER_MINUTE} erasures and exports a minute with client keys.`;
const noToken = errorAnswer(
  'The API key is missing or invalid; or a client key came without a player token; or the token is invalid or expired, or its login has ended.',
  'Missing x-player-token header',
);
const loginNeeded = errorAnswer(
  'The player token belongs to another player, or its login is not new, or was added to the player too recently; or a page sent a server key.',
  `Log in again: this needs a login of the last ${NEW_LOGIN_MINUTES} minutes`,
);
const notFound = errorAnswer('There is no such player, or no more.', 'Player not found');

export const erasePlayer = operation('POST /v1/players/{player_id}/erase', {
  access: 'key',
  summary: 'Erase a player and all its data',
  description: [
    'Erases all data of the player in this environment: properties, tags, saves, unlocks, scores, events and logins. This cannot be undone. Webhooks get `player.erased`, and the audit log records the erasure, as when a member erases the player. A repeat is answered 404 and changes nothing.',
    callers,
    'If the game names the player again, a new player is made: the game must forget the player first.',
  ].join('\n\n'),
  headers,
  answers: {
    204: { description: 'The player is erased.' },
    401: noToken,
    403: loginNeeded,
    404: notFound,
    409: eventsMove,
  },
});

export const exportOwnPlayer = operation('GET /v1/players/{player_id}/export', {
  access: 'key',
  summary: 'Export all data of a player',
  description: [
    'One JSON document, for players who ask for their data: the player, and one member for each kind of data, such as `saves` or `events`.',
    callers,
  ].join('\n\n'),
  headers,
  answers: { 200: exported, 401: noToken, 403: loginNeeded, 404: notFound },
});
