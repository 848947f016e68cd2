import { answer, errorAnswer, ErrorBody } from '../answers.ts';
import { PlayerId, SentPlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName, NewBoardName } from '../path-parameters.ts';
import { MAX_SUBMIT_KEYS, SUBMIT_KEY_DAYS, TieValue } from './kept-scores.ts';
import { t } from '../schema.ts';

/** Largest number of entries in one page of a board. */
const MAX_PAGE_SIZE = 100;
/** The maximum number of entries in `around` above the player's entry, and also below it. */
export const NEIGHBOURS = 5;
/** Largest metadata of an entry, in bytes of UTF-8 as it was sent. */
export const MAX_METADATA_BYTES = 8 * 1024;

const operation = operationsIn('Leaderboards');

const SeasonNumber = (description: string) =>
  t.Integer(description, { minimum: 1, maximum: 2_147_483_647 });
export const Season = SeasonNumber('Number of the season: 1, 2, 3….');
const Score = t.Number('The score: any finite double.');
export const TotalEntries = t.Integer('Number of entries of the season.');

export const entryMembers = {
  rank: t.Integer(
    'Position in the board, 1 is first. Among equal scores the one reached first ranks higher, so positions are unique.',
  ),
  player_id: PlayerId,
  player_name: t.Nullable(t.String('Display name; null when none was sent.')),
  score: Score,
  metadata: t.Nullable(
    t.JsonObject(
      'Metadata that was sent with the score, in the same text; null when none was sent.',
    ),
  ),
  updated_at: t.Timestamp('When the score was reached.'),
  tie_value: t.Optional(
    t.Number('Only on a board with a `tie_break`, if it was sent with the score.'),
  ),
};
export const Entry = t.Resource('LeaderboardEntry', entryMembers);

export const exampleEntry = {
  rank: 1,
  player_id: 'player-1842',
  player_name: 'Ada',
  score: 48_250,
  metadata: { character: 'fox' },
  updated_at: '2026-03-14T15:09:26.535Z',
};
const secondEntry = {
  ...exampleEntry,
  rank: 2,
  player_id: 'player-7',
  player_name: null,
  score: 47_900,
  metadata: null,
};

const SubmittedEntry = t.Resource('SubmittedScore', {
  board_name: BoardName,
  ...entryMembers,
  updated: t.Boolean('Whether this call changed the entry.'),
  total_entries: TotalEntries,
  keeps: t.Optional(
    t.Enum(
      ['latest', 'sum'] as const,
      'What the board keeps of the scores of a player; only if it is not the best.',
    ),
  ),
});
const exampleSubmitted = {
  board_name: 'high-scores',
  ...exampleEntry,
  updated: true,
  total_entries: 2_000,
};

export const submitScore = operation('POST /v1/leaderboards', {
  access: 'key',
  summary: 'Submit a score',
  description: [
    'Each player has one entry on a board: the best score, unless its settings say otherwise. A better score (higher, or lower on an ascending board) replaces it, together with `player_name` and `metadata` if they are sent; otherwise they are kept. A score that is not better changes nothing. The answer is always the stored entry with its exact rank.',
    'The first submit makes the board; order, bounds and resets are set in the dashboard, before or after. Boards are separate in each environment.',
    `A board may keep the latest score of each player instead, or the sum of all. There a score counts again if it is sent again. With an \`Idempotency-Key\` header it counts once: for ${SUBMIT_KEY_DAYS} days, a repeat with the same key and body changes nothing, and is answered with the entry as it is by then. Of each player, the last ${MAX_SUBMIT_KEYS.toLocaleString('en')} keys on a board are recognised. Boards that keep the best need no key and ignore it.`,
    'A board may have rules. A submit that breaks one is refused, or quarantined: its player sees the score, in this answer too, but the public board does not.',
    `\`metadata\` may have ${MAX_METADATA_BYTES / 1024} KB and comes back in the same text.`,
  ].join('\n\n'),
  headers: t.Object({
    'idempotency-key': t.Optional(
      t.String(
        `Chosen by the caller. It must be unique for ${SUBMIT_KEY_DAYS} days among the submits of the player to the board.`,
        { minLength: 1, maxLength: 255 },
      ),
    ),
  }),
  body: t.Object({
    board_name: NewBoardName,
    player_id: SentPlayerId,
    score: Score,
    player_name: t.Optional(t.String('Display name, up to 255 characters.', { maxLength: 255 })),
    metadata: t.Optional(t.JsonObject('Any JSON object, kept with the score.')),
    tie_value: t.Optional(TieValue),
  }),
  body_validation: 'handler',
  raw_member: 'metadata',
  example: {
    board_name: 'high-scores',
    player_id: 'player-1842',
    score: 48_250,
    player_name: 'Ada',
    metadata: { character: 'fox' },
  },
  answers: {
    200: answer(
      'The player had an entry before: this is the entry that is stored now.',
      SubmittedEntry,
      {
        ...exampleSubmitted,
        updated: false,
      },
    ),
    201: answer('The entry is new.', SubmittedEntry, exampleSubmitted),
    400: errorAnswer(
      'A field is missing or invalid, or the score is outside the bounds of the board; `error` names the field. Or `Idempotency-Key` was used with another body.',
      'score must be at most 1000000 on this board',
    ),
    403: limitReached(
      'The player, the entry or the board is new, and the game has reached the limit of these. Or the submit breaks a `rule` of the board (code `SCORE_BREAKS_RULE`), the player is banned (`PLAYER_BANNED`), or the board takes scores from verified players or server keys alone.',
      'leaderboard_entries',
    ),
    409: errorAnswer(
      'The submit was stored with this `Idempotency-Key`, and the player has no score on the board any more: it was taken off, or its season has ended.',
      'The score of this Idempotency-Key is no longer on the board',
    ),
    413: answer(
      `\`metadata\` exceeds ${MAX_METADATA_BYTES / 1024} KB, with its size and the limit; nothing was changed. Or the body is too large.`,
      ErrorBody,
      {
        error: `metadata exceeds ${MAX_METADATA_BYTES / 1024}KB limit`,
        size_bytes: 9_120,
        limit_bytes: MAX_METADATA_BYTES,
      },
    ),
  },
});

export const Offset = t.Integer('Number of entries to skip.', {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
});
export const PageSize = t.Integer(`Most entries in the answer, 1 to ${MAX_PAGE_SIZE}.`, {
  minimum: 1,
  maximum: MAX_PAGE_SIZE,
  default: 50,
});
export const OfSeason = t.Optional(SeasonNumber('A past season; the current one when left out.'));

/** Members of every answer with entries of a season. */
export const seasonMembers = {
  board_name: BoardName,
  season: Season,
  total_entries: TotalEntries,
};
export const pageMembers = {
  ...seasonMembers,
  entries: t.Array(Entry, { description: 'Entries in order of rank.' }),
};
export const examplePage = {
  board_name: 'high-scores',
  season: 1,
  total_entries: 2_000,
  entries: [exampleEntry, secondEntry],
};

export const getLeaderboard = operation('GET /v1/leaderboards/{board_name}', {
  access: 'key',
  summary: 'Read a page of a board',
  description: `Entries in order of rank. With \`player_id\` the answer also holds that player's entry and its neighbours, ${NEIGHBOURS} to each side. The whole answer shows one moment, after every submit that was answered before this request. A board or season that does not exist has no entries.`,
  query: t.Object({
    limit: PageSize,
    offset: Offset,
    player_id: t.Optional(PlayerId),
    season: OfSeason,
  }),
  answers: {
    200: answer(
      'The page.',
      t.Object({
        ...pageMembers,
        player: t.Optional(
          t.Union([Entry, t.Null()], {
            description: 'Entry of the player with `player_id`; null if there is none.',
          }),
        ),
        around: t.Optional(
          t.Array(Entry, {
            description: `Entry of the player asked for and up to ${NEIGHBOURS} to each side, in order of rank; only with \`player_id\`.`,
          }),
        ),
      }),
      { ...examplePage, player: secondEntry, around: [exampleEntry, secondEntry] },
    ),
    400: errorAnswer('limit, offset or another field is invalid.', 'limit must be at most 100'),
  },
});
