import * as contract from '@overworld/contract/players/merges';
import type { SaveRule } from '@overworld/contract/players/merges';
import type { Actor } from '../../../platform/audit.ts';
import type { Caller } from '../../../platform/auth/caller.ts';
import type { Database } from '../../../platform/database/database.ts';
import { implement } from '../../../platform/http/implement.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { requirePlayer } from '../../../platform/players/player-lock.ts';
import type { ReadInTurn } from '../../../platform/queue/dashboard-turns.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueue, OwnerPath } from '../../../platform/queue/fair-queue.ts';
import type { PlayerServices } from '../player-services.ts';
import { mergePlayers } from './merge.ts';
import { listMerges } from './merge-store.ts';

interface MergeCall {
  readonly database: Database;
  owner: OwnerPath;
  readonly signal: AbortSignal;
  actor: Actor;
  caller: Caller;
}

/** Mounts the operations that merge players. */
export function mountMerges(api: PlayerServices): void {
  const { guard, lastSeen, history, sources } = api;
  const turns = createMergeTurns();

  const merge = async (
    player: PlayerKey,
    sent: { from_player_id: string; saves?: SaveRule; preview?: boolean },
    { database, actor, caller, owner, signal }: MergeCall,
  ) => {
    const { from_player_id, saves = 'newest', preview = false } = sent;
    const from = { ...player, player_id: from_player_id };
    await history.waitForInbox(player);
    for (const known of [player, from]) await lastSeen.writePlayer(known);
    const chosen = { player, from, saves };
    const author = { actor, key_id: caller.kind === 'key' ? caller.key_id : undefined };
    return turns.run(owner, () => mergePlayers(database, sources, chosen, preview, author), signal);
  };

  const list = async (player: PlayerKey, read: ReadInTurn) => {
    const merges = await read(async (database) => {
      await requirePlayer(database, player);
      return listMerges(database, player);
    });
    return { merges, next_cursor: null };
  };

  implement(api, contract.mergePlayers, async (call) =>
    merge(await guard.ownPlayer(call, call.params.player_id), call.body, call),
  );
  implement(api, contract.listPlayerMerges, async (call) =>
    list(await guard.ownPlayer(call, call.params.player_id), call.read),
  );
  implement(api, contract.mergeGamePlayers, (call) =>
    merge({ ...call.params, environment: call.query.environment }, call.body, call),
  );
  implement(api, contract.listGamePlayerMerges, (call) =>
    list({ ...call.params, environment: call.query.environment }, call.read),
  );
}

/**
 * Makes the queue for merges. Only one merge runs at a time, because ingest waits for the end of the merge's
 * transaction. The queue has limits for each network, for each key or account, and for each game.
 */
const createMergeTurns = (): FairQueue =>
  createFairQueue({
    name: 'player_merges',
    slots: 1,
    max_waiting: 200,
    deadline_ms: 10_000,
    limits: [
      { max_running: 1, max_waiting: 50 },
      { max_running: 1, max_waiting: 50 },
      { max_running: 1, max_waiting: 50 },
    ],
    refusal: 'Too many players are being merged, try again in a few seconds',
  });
