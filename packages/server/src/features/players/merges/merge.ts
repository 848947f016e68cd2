import { MAX_LISTED_CHANGES } from '@overworld/contract/players/merges';
import type { MergeChanges } from '@overworld/contract/players/merges';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryCollisions } from '../../../platform/database/retry-deadlocks.ts';
import { badRequest, notFound } from '../../../platform/errors.ts';
import { lockGame } from '../../../platform/game-lock.ts';
import { hasPlayer } from '../../../platform/players/player-lock.ts';
import { notePlayerName } from '../../../platform/players/player-names.ts';
import type { Merge, PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { mergeData, requireMovable } from '../../../platform/players/player-tables.ts';
import { countEvents, findMerge, mergeRows, requireMovedFrom, storeMerge } from './merge-store.ts';
import type { StoredMerge } from './merge-store.ts';

/** The answer to a merge or a preview. */
export type MergedPlayers = Omit<StoredMerge, 'state' | 'merged_at'> & {
  state: 'preview' | StoredMerge['state'];
  merged_at: string | null;
};

/** A merge that a call asks for. */
type WantedMerge = Omit<Merge, 'is_repeat'>;

/** The author of a merge: an account or a server key. */
interface MergeAuthor {
  actor: Actor;
  key_id?: string;
}

/** The error that rolls back the transaction of a preview. */
class Previewed extends Error {
  readonly merge: StoredMerge;
  constructor(merge: StoredMerge) {
    super();
    this.merge = merge;
  }
}

/**
 * Merges two players in one transaction. A preview does the same and then rolls the transaction back, so it
 * shows the exact result of a merge.
 * @returns the merge; for a repeat, the merge of the first call.
 * @throws ApiError 400 when both are the same player, 404 when one does not exist, and 409 when
 * the two together pass a limit, the player who ends has too much data, or events of an earlier
 * merge still move away from one of the two.
 */
export async function mergePlayers(
  database: Database,
  sources: readonly PlayerDataSource[],
  merge: WantedMerge,
  is_preview: boolean,
  author: MergeAuthor,
): Promise<MergedPlayers> {
  if (merge.player.player_id === merge.from.player_id) {
    throw badRequest('from_player_id must name another player');
  }
  // While the merge runs, games may write data of both players and lock the data in
  // another order, so there may be deadlocks.
  const run = () =>
    database.transaction(async (tx) => {
      const merged = await mergeOnce(tx, sources, merge, author);
      if (is_preview) throw new Previewed(merged);
      return merged;
    });
  try {
    return await retryCollisions(run);
  } catch (error) {
    if (!(error instanceof Previewed)) throw error;
    return { ...error.merge, merged_at: null, state: 'preview', moved_event_count: 0 };
  }
}

async function mergeOnce(
  tx: Queryable,
  sources: readonly PlayerDataSource[],
  wanted: WantedMerge,
  { actor, key_id }: MergeAuthor,
): Promise<StoredMerge> {
  const { player, from, saves } = wanted;
  await lockGame(tx, player.game_id);
  if (!(await hasPlayer(tx, player))) throw notFound('Player not found');
  const earlier = await findMerge(tx, player, from);
  if (!(await hasPlayer(tx, from))) {
    if (earlier === null) throw notFound('The player of from_player_id was not found');
    return earlier;
  }
  await requireMovedFrom(tx, player, from);

  for (const source of sources) await requireMovable(tx, source, from);
  const event_count = await countEvents(tx, from);
  const changes = noChanges();
  const merge = { ...wanted, is_repeat: earlier !== null };
  const mergeAll = async () => {
    for (const source of sources) {
      for (const change of await mergeData(tx, source, merge)) addChanges(changes, change);
    }
  };
  await mergeAll();
  const rows = await mergeRows(tx, player, from);
  if (rows === null) throw notFound('Player not found');
  addChanges(changes, rows);
  await notePlayerName(tx, player);
  // The deletion waited for transactions that had locked the ended player. The rows that they have
  // written move too.
  await mergeAll();

  const stored = await storeMerge(tx, player, from, event_count, shorten(changes));
  const { game_id, environment, player_id } = player;
  const by = { actor, game_id };
  await insertAuditEntry(tx, by, 'merge_player', player_id, {
    environment,
    from_player_id: from.player_id,
    saves,
    key_id,
  });
  const ended = { environment, player_id, key_id };
  await insertAuditEntry(tx, by, 'merge_player', from.player_id, ended);
  return stored;
}

const noChanges = (): MergeChanges => ({
  saves: [],
  scores: [],
  bans: [],
  achievements: [],
  tags: [],
  properties: [],
  logins: [],
  sessions: 0,
});

function addChanges(sum: MergeChanges, { sessions = 0, ...lists }: Partial<MergeChanges>): void {
  sum.sessions += sessions;
  for (const [name, list] of Object.entries(lists)) {
    (sum[name as keyof typeof lists] as unknown[]).push(...list);
  }
}

const shorten = ({ sessions, ...lists }: MergeChanges): MergeChanges => {
  const short = Object.entries(lists).map(([name, list]) => [
    name,
    list.slice(0, MAX_LISTED_CHANGES),
  ]);
  return { ...(Object.fromEntries(short) as typeof lists), sessions };
};
