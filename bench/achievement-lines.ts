import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { makeWebhookSecret } from '../packages/server/src/features/webhooks/signature.ts';
import {
  insertWebhook,
  ownerOfSecret,
} from '../packages/server/src/features/webhooks/webhook-store.ts';
import { sealSecret } from '../packages/server/src/platform/auth/sealing.ts';
import type { BenchGame, BenchServer } from './bench-server.ts';
import type { Line } from './line.ts';
import * as requests from './requests.ts';
import { seedAchievements } from './seed.ts';
import * as statements from './statements.ts';

const keysOf = (games: readonly BenchGame[]) => games.map(({ key }) => key);

/** The lines of the benchmark about achievements. No player has an achievement when the load begins. */
export const achievementLines = (players: number): readonly Line[] => [
  {
    name: 'unlock an achievement',
    async prepare(server, games) {
      await seedAchievements(server, games);
      return {
        shape: requests.unlock(keysOf(games), players),
        answer_bytes: 170,
        statement: statements.unlockAchievements(players),
        batcher: 'unlocks',
      };
    },
  },
  {
    name: 'unlock an achievement, with a webhook',
    note: 'the receiver never answers, so the line has the cost of storing messages, not of sending them',
    async prepare(server, games) {
      await seedAchievements(server, games);
      await seedWebhooks(server, games);
      const shape = requests.unlock(keysOf(games), players);
      return { shape, answer_bytes: 170, batcher: 'unlocks' };
    },
  },
  {
    name: "a player's achievements",
    async prepare(server, games) {
      await seedAchievements(server, games);
      const shape = requests.listAchievements(keysOf(games), players);
      return { shape, answer_bytes: 1_600, statement: statements.readUnlocks(players) };
    },
  },
];

/** Gives each game a webhook that listens to unlocks. Its receiver never answers. */
async function seedWebhooks({ database }: BenchServer, games: readonly BenchGame[]): Promise<void> {
  const receiver = createServer().unref();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiver.on('connection', (socket) =>
    socket
      .unref()
      .resume()
      .on('error', () => undefined),
  );
  const settings = {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    description: '',
    environments: ['production' as const],
    events: ['achievement.unlocked'],
  };
  for (const { game_id } of games) {
    const webhook = { game_id, webhook_id: randomUUID() };
    const sealed = await sealSecret(database, ownerOfSecret(webhook), makeWebhookSecret());
    await insertWebhook(database, webhook, settings, sealed);
  }
}
