import type { BenchGame } from './bench-server.ts';
import type { Line } from './line.ts';
import * as requests from './requests.ts';
import { seedMessages, seedPlayers } from './seed.ts';

const keysOf = (games: readonly BenchGame[]) => games.map(({ key }) => key);

const listLine = (name: string, messages: number, players: number): Line => ({
  name,
  async prepare(server, games) {
    const size = Math.ceil(players / games.length);
    await seedPlayers(server, games, size);
    await seedMessages(server, games, messages);
    const shape = requests.listMessages(keysOf(games), size);
    return { shape, answer_bytes: 60 + 300 * messages, batcher: 'message look-ups' };
  },
});

/** The lines of the benchmark about messages. No player has claimed a message when the load begins. */
export const messageLines = (players: number): readonly Line[] => [
  listLine("a player's messages, none", 0, players),
  listLine("a player's messages, three to everyone", 3, players),
  {
    name: 'claim a message',
    async prepare(server, games) {
      await seedMessages(server, games, requests.CLAIMED_MESSAGES);
      const shape = requests.claimMessage(keysOf(games), players);
      return { shape, answer_bytes: 160, batcher: 'message states' };
    },
  },
];
