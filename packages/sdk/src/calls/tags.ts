import type { PlayerTags } from '../answers.ts';
import { nullIf } from '../http/error.ts';
import type { Transport } from '../http/transport.ts';

/** Tags of the player, for segments and for rules of the config. */
export interface Tags {
  /**
   * Adds a tag. The server trims the tag and writes it in lower case.
   * @returns all tags of the player.
   * @example await overworld.tags.add('beta');
   */
  add(tag: string): Promise<string[]>;
  /**
   * Removes a tag; it is no error if the player does not have it.
   * @example await overworld.tags.remove('beta');
   */
  remove(tag: string): Promise<void>;
}

/**
 * Runs a change for the player who is playing when this function is called. The change runs after all earlier
 * changes have ended, so the retry of an earlier change cannot undo a later one.
 */
export type ForPlayer = <T>(run: (player_id: string) => Promise<T>) => Promise<T>;

export const createTags = (transport: Transport, inTurn: ForPlayer): Tags => {
  const pathOf = (player_id: string) => `players/${encodeURIComponent(player_id)}/tags`;
  return {
    add: async (tag) => {
      const { tags } = await inTurn((player_id) =>
        transport.ask<PlayerTags>(pathOf(player_id), 'tags', { body: { tag } }, player_id),
      );
      return tags;
    },
    remove: async (tag) => {
      const removed = inTurn((player_id) => {
        const path = `${pathOf(player_id)}/${encodeURIComponent(tag)}`;
        return transport.ask(path, '', { method: 'DELETE' }, player_id);
      });
      await nullIf('Tag not found', removed);
    },
  };
};
