import type { BenchGame } from './bench-server.ts';
import type { Line } from './line.ts';
import * as requests from './requests.ts';
import { seedPlayers, seedStats, seedUnlockRules } from './seed.ts';
import * as statements from './statements.ts';

const keysOf = (games: readonly BenchGame[]) => games.map(({ key }) => key);

const changeLine = (count: number, players: number, { idempotent = false } = {}): Line => ({
  name: `change ${count === 1 ? 'a statistic' : `${count} statistics in a request`}${idempotent ? ', with an Idempotency-Key' : ''}`,
  units_per_request: count,
  async prepare(server, games) {
    await seedStats(server, games, players);
    return {
      shape: { ...requests.changeStats(keysOf(games), players, count), idempotent },
      answer_bytes: 20 + 22 * count,
      statement: statements.changeStats(players, count),
      batcher: 'stats',
    };
  },
});

/** So many players have ten achievements each to unlock that few changes find theirs unlocked. */
const UNLOCKING_PLAYERS = 100_000;

/** The lines of the benchmark about statistics. Apart from the line about unlocks, all players have a value of each when the load begins. */
export const statLines = (players: number): readonly Line[] => [
  changeLine(1, players),
  changeLine(1, players, { idempotent: true }),
  changeLine(20, players),
  {
    name: 'change a statistic, which unlocks an achievement',
    note: 'up to a fifth of the players have unlocked theirs already',
    async prepare(server, games) {
      const size = Math.ceil(UNLOCKING_PLAYERS / games.length);
      await seedPlayers(server, games, size);
      await seedUnlockRules(server, games);
      return {
        shape: requests.unlockByRule(keysOf(games), size),
        answer_bytes: 120,
        batcher: 'stats',
      };
    },
  },
  {
    name: "a player's statistics",
    async prepare(server, games) {
      await seedStats(server, games, players);
      const shape = requests.listStats(keysOf(games), players);
      return { shape, answer_bytes: 2_200, statement: statements.readStats(players) };
    },
  },
];
