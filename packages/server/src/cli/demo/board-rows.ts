import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame } from './demo-game.ts';
import type { SimulatedPlayer, SimulatedRun } from './simulation.ts';

const DAY_MS = 86_400_000;

interface DemoBoard {
  name: string;
  order: 'ascending' | 'descending';
  score: (run: SimulatedRun) => number;
  /** The beginnings of its seasons, as shares of the simulated days that follow. */
  seasons: readonly number[];
}

const BOARDS: DemoBoard[] = [
  { name: 'all-time', order: 'descending', score: ({ score }) => score, seasons: [1] },
  { name: 'fastest-level', order: 'ascending', score: ({ seconds }) => seconds, seasons: [1] },
  { name: 'harvest-cup', order: 'descending', score: ({ score }) => score, seasons: [1 / 3, 0.1] },
];

/**
 * Makes the archive lines of the leaderboards: two with the best run of every player, a cup whose first season
 * has ended, and a daily one. A score of the daily board that is too high waits for a decision.
 */
export function* boardLines(game: DemoGame, players: SimulatedPlayer[]): Generator<ArchiveLine> {
  const { game_id, until, days } = game;
  yield table(
    'leaderboards',
    'game_id, board_name, sort_order, reset_schedule, on_violation, max_gain, first_gain_from, keeps_ledger',
  );
  for (const { name, order } of BOARDS) {
    yield [game_id, name, order, 'none', 'refuse', null, null, 'false'];
  }
  // The daily board gets its scores later, when the last hour is simulated with API calls.
  yield [game_id, 'daily', 'descending', 'daily', 'quarantine', '20000', '0', 'true'];

  const seasons = BOARDS.flatMap((board) =>
    board.seasons.flatMap((share, index) => {
      const next = board.seasons[index + 1];
      const began_at = until - days * share * DAY_MS;
      const ended_at = next === undefined ? null : until - days * next * DAY_MS;
      return (['production', 'development'] as const).map((environment) => ({
        ...board,
        environment,
        season: index + 1,
        began_at,
        ended_at,
        ranked: rank(
          players.filter((player) => player.environment === environment),
          board,
          (run) => run.at >= began_at && run.at < (ended_at ?? Infinity),
        ),
      }));
    }),
  );
  yield table(
    'leaderboard_seasons',
    `game_id, environment, board_name, season, sort_order, total_entries, next_entry_number, next_seq,
     started_at, ended_at, end_announced_at, version`,
  );
  for (const { name, order, environment, season, began_at, ended_at, ranked } of seasons) {
    const size = `${ranked.length}`;
    const numbers = [`${season}`, order, size, size, `${ranked.length + 1}`];
    const end = ended_at === null ? null : at(ended_at);
    // A version is a time in microseconds, as on the server.
    yield [game_id, environment, name, ...numbers, at(began_at), end, end, `${until}000`];
  }
  yield table(
    'leaderboard_entries',
    `game_id, environment, player_id, board_name, season, entry_number, score, seq, player_name,
     metadata, updated_at`,
  );
  for (const { name, environment, season, score, ranked } of seasons) {
    for (const [number, { player, run }] of ranked.entries()) {
      yield [
        game_id,
        environment,
        player.player_id,
        name,
        `${season}`,
        `${number}`,
        `${score(run)}`,
        `${number + 1}`,
        player.name,
        JSON.stringify({ level: run.level }),
        at(run.at),
      ];
    }
  }
}

/** Finds the best run of each player in a season. Returns them by time, as the server numbers entries. */
function rank(
  players: SimulatedPlayer[],
  { order, score }: DemoBoard,
  isInSeason: (run: SimulatedRun) => boolean,
): { player: SimulatedPlayer; run: SimulatedRun }[] {
  const sign = order === 'descending' ? 1 : -1;
  return players
    .flatMap((player) => {
      const [best] = player.runs
        .filter(isInSeason)
        .sort((a, b) => sign * (score(b) - score(a)) || a.at - b.at);
      return best === undefined ? [] : [{ player, run: best }];
    })
    .sort((a, b) => a.run.at - b.run.at);
}
