import type { Database } from '../../../platform/database/database.ts';
import { takeTurns } from '../../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { restAfter } from '../../../platform/rest.ts';
import { insertUnlocks } from '../insert-unlocks.ts';
import {
  claimPiece,
  finishPiece,
  hasOpenGrants,
  listEarners,
  lockExisting,
  noteGranted,
  takeBack,
} from './grant-store.ts';
import type { OpenGrant } from './grant-store.ts';

/** The number of players of a piece, which is one transaction. */
const PIECE_PLAYERS = 200;

/**
 * Grants achievements to all who have earned them, and undoes grants. The unlocks of a piece and the progress are
 * stored in one transaction, so after a crash any server can go on. After each piece it rests for as long as the
 * piece took.
 * @param mayListen Tells whether webhooks of one of the games may listen to unlocks.
 */
export function createGranter(services: {
  database: GroupedDatabase;
  mayListen: (game_ids: readonly string[]) => Promise<boolean>;
}) {
  const { database, mayListen } = services;
  const closing = new AbortController();

  /** @returns false when there is nothing to do in this group. */
  const doPiece = async (group: Database): Promise<boolean> => {
    if (!(await hasOpenGrants(group))) return false;
    return retryDeadlocks(() =>
      group.transaction(async (tx) => {
        const open = await claimPiece(tx);
        if (open === null) return false;
        if (open.state === 'undoing') {
          const { looked_at, taken } = await takeBack(tx, open, PIECE_PLAYERS);
          const after = looked_at === 0 ? null : '';
          await finishPiece(tx, open, { after, added: -taken });
          return true;
        }
        const earners = await listEarners(tx, open, PIECE_PLAYERS);
        const existing = await lockExisting(tx, open, earners);
        const unlocks = existing.map((player_id) => unlockOf(open, player_id));
        if (unlocks.length > 0) await insertUnlocks(tx, unlocks, await mayListen([open.game_id]));
        const granted = unlocks
          .filter(({ is_new }) => is_new)
          .map(({ player }) => player.player_id);
        if (granted.length > 0) await noteGranted(tx, open, granted);
        const after = earners.at(-1) ?? null;
        await finishPiece(tx, open, { after, added: granted.length });
        return true;
      }),
    );
  };

  const takeTurn = async (group: Database): Promise<boolean> => {
    const started = performance.now();
    if (!(await doPiece(group))) return false;
    await restAfter(performance.now() - started, { signal: closing.signal });
    return true;
  };

  return {
    /** Works until nothing is left; called by a timer. */
    run: () => takeTurns(database.groups, takeTurn, closing.signal),
    /** Stops after the current piece. After the next start, it goes on. */
    close: () => closing.abort(),
  };
}

const unlockOf = ({ game_id, environment, achievement_key }: OpenGrant, player_id: string) => ({
  player: { game_id, environment, player_id, total_points: 0 },
  achievement_key,
  definition: null,
  is_new: false,
});
