import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import type { GroupedDatabase } from '../../packages/server/src/platform/database/game-groups.ts';
import { schemaOf } from '../../packages/server/src/platform/database/group-directory.ts';
import { readGroups } from '../../packages/server/src/platform/database/pools.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { createConfigLoad } from '../load/config-load.ts';
import { addOwner, makeGame } from '../load/game.ts';
import { createLoginLoad } from '../load/login-load.ts';
import { createMixedLoad } from '../load/mixed-load.ts';
import { createSeasonLoad } from '../load/season-load.ts';
import type { LoadCounts, MixedLoad, MixedLoadOptions } from '../load/mixed-load.ts';
import type { Server } from '../machine/server.ts';
import type { Random } from '../random.ts';
import { createGap } from './gap.ts';
import type { Gap } from './gap.ts';

/** A game under load. */
export interface LoadedGame {
  load: MixedLoad;
  /** The database schema of the game's group. */
  schema: string;
  gap: Gap;
}

interface LoadOptions {
  server: Server;
  /** The dashboard account that changes configs. */
  account: { email: string; token: string };
  /**
   * True if the game is on the Free tier and its load sends only events, until the game's quota is used up.
   */
  fills_quota: boolean;
  random: Random;
  counts: LoadCounts;
  port: () => number;
  onViolation: (text: string) => void;
}

/** Clients pause between requests, because all servers and nodes share the cores of one machine. */
const MIXED = { clients: 4, pause_ms: 20 };
const EVENTS = { clients: 2, pause_ms: 40, only: 'events' as const, max_batch: 100 };

/** Makes a game in the emptiest group, and a load for it. */
export async function loadGame(options: LoadOptions): Promise<LoadedGame> {
  const { server, account, fills_quota, random, ...others } = options;
  const { game, schema } = await makeOwnGame(options);
  const gap = createGap();
  const kind: Omit<MixedLoadOptions, keyof typeof others | 'game' | 'random'> = fills_quota
    ? EVENTS
    : {
        ...MIXED,
        further: [
          [10, createLoginLoad(random)],
          [2, createConfigLoad(game.game_id, account.token)],
          [5, createSeasonLoad(random, game.game_id, account.token, 1)],
        ],
      };
  const onAcknowledged = () => gap.note();
  const load = createMixedLoad({ ...others, ...kind, game, random, onAcknowledged });
  return { load, schema, gap };
}

async function makeOwnGame({ server, account, fills_quota, random }: LoadOptions) {
  const { connection } = server;
  const time_zone = random.pick(['UTC', 'Europe/Berlin', 'Asia/Kathmandu']);
  const make = async (database: GroupedDatabase) => {
    const game = await makeGame(database, time_zone);
    const { game_id } = game;
    await addOwner(database, game_id, account.email);
    if (fills_quota) {
      await database.execute(sql`UPDATE games SET tier = 'free' WHERE id = ${game_id}`);
    }
    return { game, schema: schemaOf(database.groupOf(game_id)) };
  };
  return withDatabase(connection, make, await readGroups(connection));
}
