import type { PlayerTags } from './answers.ts';
import type { OverworldError } from './error.ts';
import type { Player } from './player.ts';
import type { Transport } from './transport.ts';

/** Tags of the player, which segments and config rules go by. */
export interface Tags {
  /**
   * Adds a tag; the server trims it and writes it in lower case.
   * @returns all tags of the player.
   * @example await overworld.tags.add('beta');
   */
  add(tag: string): Promise<string[]>;
  /**
   * Removes a tag; one that the player does not have is no error.
   * @example await overworld.tags.remove('beta');
   */
  remove(tag: string): Promise<void>;
}

/** @param takeTurn So that a call that is tried again does not undo a later one. */
export function createTags(
  transport: Transport,
  player: Player,
  takeTurn: <T>(run: () => Promise<T>) => Promise<T>,
): Tags {
  const path = async () => `/v1/players/${encodeURIComponent(await player.get())}/tags`;
  return {
    async add(tag) {
      const call = { method: 'POST', path: await path(), body: { tag } } as const;
      const { body } = await takeTurn(() => transport.request<PlayerTags>(call, 'safe'));
      return body.tags;
    },
    async remove(tag) {
      const one = `${await path()}/${encodeURIComponent(tag)}`;
      try {
        await takeTurn(() => transport.request({ method: 'DELETE', path: one }, 'safe'));
      } catch (error) {
        if ((error as OverworldError).body?.error !== 'Tag not found') throw error;
      }
    },
  };
}
