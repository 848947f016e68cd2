import { answer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

/** The number of games that an answer lists. */
export const MAX_SIZED_GAMES = 50;

export const getInstallationSizes = operation('GET /v1/admin/sizes', {
  access: 'administrator',
  summary: 'Sizes of tables and games',
  description: `The space that each table takes on disk, and the ${MAX_SIZED_GAMES} games that take the most by an estimate. Rows are estimates of PostgreSQL, which may be off by a tenth and more until the next ANALYZE. A server measures at most once a minute, so an answer may be a minute old.`,
  answers: {
    200: answer(
      'The sizes, the largest first.',
      t.Resource('InstallationSizes', {
        measured_at: t.Timestamp('When the server measured.'),
        tables: t.Array(
          t.Object({
            name: t.String('Name of the table, in all groups of games together.'),
            bytes: t.Integer('Space on disk, with indexes and large values.'),
            index_bytes: t.Integer('The part of its indexes.'),
            row_count: t.Integer('Rows, as PostgreSQL estimates.'),
          }),
        ),
        games: t.Array(
          t.Object({
            id: t.Uuid('Id of the game.'),
            name: t.String('Name of the game.'),
            estimated_bytes: t.Integer(
              'An estimate: its part of the tables with events, sessions, players, saves and leaderboards, by the counts that follow.',
            ),
            event_count: t.Integer(
              'Events that counted against the quota, in the months whose events are kept.',
            ),
            player_count: t.Integer('Players.'),
            save_bytes: t.Integer('Bytes of cloud saves, with older versions, before compression.'),
            leaderboard_entry_count: t.Integer('Scores on leaderboards, of past seasons too.'),
            ledger_row_count: t.Integer('Submits in the ledgers of leaderboards.'),
          }),
        ),
        unreachable_nodes: t.Array(
          t.String('Host and port of a node of the cluster, such as `citus-2:5432`.'),
          { description: 'Nodes that did not answer. Their data counts nowhere in this answer.' },
        ),
      }),
      {
        measured_at: '2026-03-14T15:09:26.535Z',
        tables: [
          { name: 'events', bytes: 612_261_120, index_bytes: 201_326_592, row_count: 1_842_230 },
          { name: 'players', bytes: 21_430_272, index_bytes: 9_437_184, row_count: 48_211 },
        ],
        games: [
          {
            id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
            name: 'Sky Harbour',
            estimated_bytes: 511_705_088,
            event_count: 1_511_020,
            player_count: 39_022,
            save_bytes: 81_788_928,
            leaderboard_entry_count: 120_003,
            ledger_row_count: 0,
          },
        ],
        unreachable_nodes: [],
      },
    ),
  },
});
