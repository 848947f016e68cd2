import { MAX_OWN_DATA_CALLS_PER_MINUTE } from '@overworld/contract/players/login-limits';
import * as contract from '@overworld/contract/players/own-data';
import { insertAuditEntry } from '../../../platform/audit.ts';
import { ApiError } from '../../../platform/errors.ts';
import { implement, JsonPieces } from '../../../platform/http/implement.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { PlayerCall } from '../../../platform/players/player-call.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueue } from '../../../platform/queue/fair-queue.ts';
import { erasePlayer } from '../changes/player-changes.ts';
import { writeExport } from '../player-export.ts';
import type { PlayerServices } from '../player-services.ts';

interface OwnDataCall extends PlayerCall {
  readonly ip: string;
  readonly database: Database;
  readonly params: { player_id: string };
}

/** Mounts the operations by which a player, or the studio's own server, erases or exports a player. */
export function mountOwnData(api: PlayerServices): void {
  const { guard, lastSeen, sources, playerTokens, reads, requireNewLogin } = api;
  const turns = createOwnDataTurns();
  const attempts = createAttemptLimit(
    api.database,
    'erase_or_export_player',
    MAX_OWN_DATA_CALLS_PER_MINUTE,
    { nameOf: (name) => name },
  );

  /** Finds the player of the call. A player must have logged in just now. */
  const choose = async (call: OwnDataCall): Promise<PlayerKey> => {
    const { caller, player_id, exchange, ip } = call;
    const is_server = caller.key_kind === 'server';
    if (!is_server && player_id === null) throw new ApiError(401, 'Missing x-player-token header');
    const named = await guard.ownPlayer(call, call.params.player_id);
    if (is_server) return named;
    const { game_id, environment } = named;
    await attempts.take(`${game_id} ${environment} ${networkOf(ip)}`);
    const token = exchange.request.headers['x-player-token'] as string;
    const session = { ...named, session_id: playerTokens.sessionOf(token) };
    await requireNewLogin(call.database, session);
    return named;
  };

  implement(api, contract.erasePlayer, async (call) => {
    const { caller, actor, owner, signal, database } = call;
    const player = await choose(call);
    // Without this call, `last_seen_at` could be written after the erasure, to a new player with the same id.
    await lastSeen.writePlayer(player);
    const { game_id, environment, player_id } = player;
    const is_server = caller.key_kind === 'server';
    // The network of a player is not kept.
    const author = is_server ? actor : { account: null, ip: null };
    const by = is_server ? { key_id: caller.key_id } : { by: 'player' };
    const details = { environment, ...by };
    const erase = () =>
      erasePlayer(database, sources, player, (tx) =>
        insertAuditEntry(tx, { actor: author, game_id }, 'delete_player', player_id, details),
      );
    await turns.run(owner, erase, signal);
  });

  implement(api, contract.exportOwnPlayer, async (call) => {
    const { owner, signal } = call;
    const player = await choose(call);
    await lastSeen.writePlayer(player);
    const database = reads.ofGame(player.game_id);
    return new JsonPieces(
      writeExport(sources, player, (work) => turns.run(owner, () => work(database), signal)),
    );
  });
}

/**
 * Makes the queue for erasures and exports that players and servers ask for. Only one runs at a time, and
 * none takes the turn of a report. The queue has limits for each network, for each key and for each game.
 */
const createOwnDataTurns = (): FairQueue =>
  createFairQueue({
    name: 'own_player_data',
    slots: 1,
    max_waiting: 200,
    deadline_ms: 10_000,
    limits: [
      { max_running: 1, max_waiting: 50 },
      { max_running: 1, max_waiting: 50 },
      { max_running: 1, max_waiting: 50 },
    ],
    refusal: 'Too many players are being erased or exported, try again in a few seconds',
  });
