import { answer, badRequest, errorAnswer, notFoundInGame, onePageAnswer } from '../answers.ts';
import { EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import type { SuccessOf } from '../operation.ts';
import { t } from '../schema.ts';
import { exampleTime } from './players.ts';

/** The rules by which a merge chooses between two saves of one slot. */
const SAVE_RULES = ['newest', 'target', 'source'] as const;
export type SaveRule = (typeof SAVE_RULES)[number];

/**
 * The maximum number of sessions of the source: the player whom a merge deletes. While these sessions move to
 * the other player, no events of any game are ingested.
 */
export const MAX_MERGED_SESSIONS = 20_000;
/**
 * The maximum number of the source's rows in ledgers of leaderboards. These rows move together with the
 * sessions.
 */
export const MAX_MERGED_SUBMITS = 30_000;
/** One answer lists at most this many merges: the newest ones. */
export const MAX_LISTED_MERGES = 100;
/** The maximum length of each list of changes in one answer, such as scores, saves or tags. */
export const MAX_LISTED_CHANGES = 200;

const KEPT = ['target', 'source'] as const;
const KEPT_SCORES = ['target', 'source', 'both'] as const;
const Kept = (thing: string) =>
  t.Enum(KEPT, `Whose ${thing} is kept: that of the player in the path, or of the ended one.`);

const Changes = t.Object({
  saves: t.Array(
    t.Object({
      slot: t.String('Name of the slot.'),
      kept: Kept('save'),
      version: t.Integer('The version of the slot after the merge.'),
    }),
    { description: 'Slots in which the ended player had a save.' },
  ),
  scores: t.Array(
    t.Object({
      board_name: t.String('Name of the board.'),
      season: t.Integer('Number of the season.'),
      score: t.Number('The score that is kept.'),
      kept: t.Enum(
        KEPT_SCORES,
        'Whose score is kept: that of the player in the path, of the ended one, or the sum of both.',
      ),
    }),
    { description: 'Entries of boards that the ended player had, also in past seasons.' },
  ),
  bans: t.Array(t.Nullable(t.String()), {
    description: 'Boards from which the ended player was banned; null: from all boards.',
  }),
  achievements: t.Array(t.String(), { description: 'Keys of achievements that the player gains.' }),
  tags: t.Array(t.String(), { description: 'Tags that the player gains.' }),
  properties: t.Array(t.String(), {
    description: 'Names of properties that the player gains; the own ones stay as they are.',
  }),
  logins: t.Array(t.String(), { description: 'Providers of the logins that move, one for each.' }),
  sessions: t.Integer('Number of sessions of play that move.'),
});

const merge = {
  player_id: PlayerId,
  from_player_id: t.Name('Id of the player who ended.'),
  merged_at: t.Timestamp('When the players were merged.'),
  state: t.Enum(
    ['moving_events', 'complete'],
    'The player has everything; events of the ended player may still be on their way to its timeline.',
  ),
  event_count: t.Integer(
    'Number of events that the ended player had. Until all have moved, it counts events that were dropped for their age too.',
  ),
  moved_event_count: t.Integer('Number of these that show with the player by now.'),
};

const ListedMerge = t.Resource('PlayerMerge', merge);

const MergedPlayers = t.Resource('MergedPlayers', {
  ...merge,
  merged_at: t.Nullable(merge.merged_at),
  state: t.Enum(
    ['preview', 'moving_events', 'complete'],
    '`preview`: nothing was changed. `moving_events`: the player has everything, and events of the ended player are on their way to its timeline.',
  ),
  changes: Changes,
});

const exampleMerge = {
  player_id: 'player-42',
  from_player_id: 'guest-1842',
  merged_at: exampleTime,
  state: 'moving_events',
  event_count: 5_210,
  moved_event_count: 0,
};
const exampleMerged = {
  ...exampleMerge,
  changes: {
    saves: [{ slot: 'main', kept: 'source', version: 13 }],
    scores: [{ board_name: 'weekly', season: 3, score: 48_250, kept: 'source' }],
    bans: [],
    achievements: ['first_win'],
    tags: ['beta'],
    properties: ['country'],
    logins: ['device'],
    sessions: 31,
  },
};

const Body = t.Object({
  from_player_id: t.Name('Id of the player who ends.'),
  saves: t.Optional(
    t.Enum(
      SAVE_RULES,
      'Which save a slot keeps when both players have one: the one saved last, the one of the player in the path (`target`), or the one of the ended player (`source`).',
      { default: 'newest' },
    ),
  ),
  preview: t.Optional(
    t.Boolean('`true` changes nothing, and answers the changes that the merge would make.'),
  ),
});

const description = [
  'The player in the path stays, and the player `from_player_id` ends. Of equal slots the save is kept that `saves` names, and the last save of the other is kept as a version before it. A save that exists is kept over one that was deleted. Of each board and season the better score is kept, with the time at which it was reached, and of equal scores the earlier one. Bans, scores that wait and rows of ledgers move. Unlocks are joined with the earlier time. Tags are joined. Of properties the player’s own win. The earlier first and the later last time of both are kept. Logins move, so that the devices of the ended player log in as the player; its open logins end.',
  `Reports count the two as one at once. Events move to the player’s timeline in the background, a few at a time; \`state\` tells when all are there. Lists in the answer have at most ${MAX_LISTED_CHANGES} entries.`,
  'Either everything is done or nothing. A merge cannot be undone. A repeat is answered like the first one. Later events that name the ended player count for the player, as long as nothing else makes a player of that id again.',
].join('\n\n');

const conflicts = errorAnswer(
  `The two together pass a limit: of save slots, logins, tags or properties. Or the player who ends has more than ${MAX_MERGED_SESSIONS.toLocaleString('en-US')} sessions, or more than ${MAX_MERGED_SUBMITS.toLocaleString('en-US')} submits in ledgers. Or one of them was merged into a third player, and its events still move. Nothing was changed, and a preview is answered the same.`,
  'Together the players have 12 logins, and a player can have at most 10: remove some first',
);
const badMerge = badRequest('from_player_id must name another player');
const merged = answer('The players are merged; or the preview.', MergedPlayers, exampleMerged);

const operation = operationsIn('Players');
const dashboardOperation = operationsIn('Players (dashboard)');

export const mergePlayers = operation('POST /v1/players/{player_id}/merge', {
  access: 'server_key',
  summary: 'Merge another player into a player',
  description,
  body: Body,
  example: { from_player_id: 'guest-1842', saves: 'newest', preview: true },
  answers: {
    200: merged,
    400: badMerge,
    404: errorAnswer('There is no such player.', 'Player not found'),
    409: conflicts,
  },
});

export const listPlayerMerges = operation('GET /v1/players/{player_id}/merges', {
  access: 'server_key',
  summary: 'List the players who were merged into a player',
  description: `The newest ${MAX_LISTED_MERGES} merges, the latest first, and how far their events have moved.`,
  answers: {
    200: onePageAnswer('Merges; there is one page.', 'merges', ListedMerge, exampleMerge),
    404: errorAnswer('There is no such player.', 'Player not found'),
  },
});

export const mergeGamePlayers = dashboardOperation(
  'POST /v1/games/{game_id}/players/{player_id}/merge',
  {
    access: 'admin',
    summary: 'Merge another player into a player',
    description,
    query: EnvironmentQuery,
    body: Body,
    example: { from_player_id: 'guest-1842', saves: 'newest', preview: true },
    answers: { 200: merged, 400: badMerge, 404: notFoundInGame('player'), 409: conflicts },
  },
);

export const listGamePlayerMerges = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/merges',
  {
    access: 'viewer',
    summary: 'List the players who were merged into a player',
    description: `The newest ${MAX_LISTED_MERGES} merges, the latest first, and how far their events have moved.`,
    query: EnvironmentQuery,
    answers: {
      200: onePageAnswer('Merges; there is one page.', 'merges', ListedMerge, exampleMerge),
      404: notFoundInGame('player'),
    },
  },
);

/** The changes that a merge makes, as answers show them. */
export type MergeChanges = SuccessOf<typeof mergePlayers>['changes'];
/** A merge, as lists show it. */
export type PlayerMerge = SuccessOf<typeof listPlayerMerges>['merges'][number];
