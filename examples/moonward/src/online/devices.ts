import type { Overworld } from '@overworld/sdk';
import { readProgress } from '../world/read-progress.ts';
import { localStore } from '../local-store.ts';
import type { Connection } from './connection.ts';
import { progressKey } from './progress-keeper.ts';

export type MoveProblem = 'offline' | 'wrong_code' | 'refused';

/** The key by which other tabs notice that this device now has another player. */
const PLAYER = 'player';

/**
 * Creates the code that brings the player to another device; null if the server cannot be reached.
 */
export async function createMoveCode(
  overworld: Overworld,
  connection: Connection,
): Promise<string | null> {
  const made = await connection.ask(() => overworld.account.createMoveCode());
  return made?.code ?? null;
}

/**
 * Moves this device to the player who made the code, and restarts the game as that player.
 * @returns the reason if the move failed.
 */
export async function moveHere(
  overworld: Overworld,
  connection: Connection,
  code: string,
): Promise<MoveProblem> {
  let problem: MoveProblem = 'offline';
  const moved = await connection.ask(
    () => overworld.account.moveHere(code),
    ({ code: reason }) => (problem = reason === 'not_found' ? 'wrong_code' : 'refused'),
  );
  if (moved === null) return problem;
  return startAnew(overworld, connection);
}

/** Restarts the game, in all tabs, after another player has logged in on this device. */
export async function startAnew(overworld: Overworld, connection: Connection): Promise<never> {
  // Without this save, the game would invent another name for the player.
  const save = await connection.ask(() => overworld.saves.load());
  const player_id = overworld.playerId;
  if (save) localStore.write(progressKey(player_id), readProgress(save.data));
  localStore.write(PLAYER, player_id);
  location.reload();
  return new Promise<never>(() => {});
}

/** Restarts the game when another tab has moved this device to another player. */
export function followMoves(): void {
  localStore.onOtherTab(PLAYER, () => location.reload());
}
