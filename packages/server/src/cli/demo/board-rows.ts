import type { ArchiveLine } from '../archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame } from './demo-game.ts';
import type { SimulatedPlayer } from './simulation.ts';

const ALL_TIME = 'all-time';
const FASTEST = 'fastest-level';

/**
 * Makes the archive lines of three leaderboards: an ascending and a descending one, both with the best
 * score of every player, and a daily one without scores.
 */
export function* boardLines(game: DemoGame, players: SimulatedPlayer[]): Generator<ArchiveLine> {
  const started = at(game.until - game.days * 86_400_000);
  const boardList = [
    { name: ALL_TIME, order: 'descending', score: (player: SimulatedPlayer) => player.best_score },
    { name: FASTEST, order: 'ascending', score: (player: SimulatedPlayer) => player.best_time },
  ];
  yield table('leaderboards', 'game_id, board_name, sort_order, reset_schedule');
  for (const { name, order } of boardList) yield [game.game_id, name, order, 'none'];
  // The daily board gets its scores later, when the last hour is simulated with API calls.
  yield [game.game_id, 'daily', 'descending', 'daily'];
  const entries = boardList.flatMap(({ name, order, score }) =>
    (['production', 'development'] as const).map((environment) => ({
      name,
      order,
      environment,
      ranked: players
        .filter((player) => player.environment === environment && score(player) > 0)
        .sort((a, b) => a.best_score_at - b.best_score_at)
        .map((player) => ({ player, score: score(player) })),
    })),
  );
  yield table(
    'leaderboard_seasons',
    `game_id, environment, board_name, season, sort_order, total_entries, next_entry_number, next_seq,
     started_at, version`,
  );
  for (const { name, order, environment, ranked } of entries) {
    const size = `${ranked.length}`;
    const next_seq = `${ranked.length + 1}`;
    // A version is a time in microseconds, as on the server.
    const version = `${game.until}000`;
    yield [game.game_id, environment, name, '1', order, size, size, next_seq, started, version];
  }
  yield table(
    'leaderboard_entries',
    `game_id, environment, player_id, board_name, season, entry_number, score, seq, player_name,
     metadata, updated_at`,
  );
  for (const { name, environment, ranked } of entries) {
    for (const [number, { player, score }] of ranked.entries()) {
      yield [
        game.game_id,
        environment,
        player.player_id,
        name,
        '1',
        `${number}`,
        `${score}`,
        `${number + 1}`,
        player.name,
        JSON.stringify({ level: player.properties.level }),
        at(player.best_score_at),
      ];
    }
  }
}
