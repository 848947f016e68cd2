export const VALID = { board_name: 'b', player_id: 'p1', score: 1 };
/** Bodies that the server refuses, with their errors. */
export const REFUSED: [name: string, body: unknown, error: string][] = [
  [
    'a board_name of 256 characters',
    { ...VALID, board_name: 'x'.repeat(256) },
    'board_name must have at most 255 characters',
  ],
  ['an empty board_name', { ...VALID, board_name: '' }, 'board_name must not be empty'],
  ['no board_name', { player_id: 'p', score: 1 }, 'board_name is required'],
  ['no player_id', { board_name: 'b', score: 1 }, 'player_id is required'],
  ['no score', { board_name: 'b', player_id: 'p' }, 'score is required'],
  ['a score that is null', { ...VALID, score: null }, 'score must be a number'],
  ['a score that is text', { ...VALID, score: '12' }, 'score must be a number'],
  [
    'a score that is not finite',
    '{"board_name":"b","player_id":"p","score":1e999}',
    'score is too large',
  ],
  ['metadata that is a list', { ...VALID, metadata: [] }, 'metadata must be a JSON object'],
  ['a player_name that is a number', { ...VALID, player_name: 7 }, 'player_name must be a string'],
  [
    '\\u0000 in metadata',
    { ...VALID, metadata: { a: '\0' } },
    'metadata.a must not contain \\u0000',
  ],
  ['a list', [VALID], 'The request body must be a JSON object'],
];
