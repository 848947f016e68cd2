import { MAX_PLAYER_PROPERTIES_BYTES, MAX_TAGS } from '@overworld/contract/players/players';
import { createGroupBatcher } from '../../../platform/batch/batcher.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { addTags, mergeProperties } from './hot-store.ts';
import type { MergeRequest, TagRequest } from './hot-store.ts';
import { writeInRounds } from './rounds.ts';

/** The 413 error for properties that would be too large. The request with this error has changed nothing. */
export const propertiesTooLarge = () =>
  new ApiError(
    413,
    `The properties of a player may have at most ${MAX_PLAYER_PROPERTIES_BYTES} bytes`,
  );

/** The 400 error for too many tags. The request with this error has changed nothing. */
export const tooManyTags = () => badRequest(`A player may have at most ${MAX_TAGS} tags`);

export function createPlayerWriter(hot: GroupedDatabase) {
  const merges = createGroupBatcher<MergeRequest, string>(hot, {
    name: 'identifies',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ player }) => player.game_id,
    bytes: {
      of: ({ properties }) => properties.length,
      max_batch: 512 * 1024,
      max_queue: 64 * 1024 * 1024,
    },
    async flush(group, requests) {
      const merged = await writeInRounds(group, requests, mergeProperties);
      return merged.map((properties) => properties ?? propertiesTooLarge());
    },
  });
  const tags = createGroupBatcher<TagRequest, string[]>(hot, {
    name: 'tags',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ player }) => player.game_id,
    async flush(group, requests) {
      const added = await writeInRounds(group, requests, addTags);
      return added.map((all) => all ?? tooManyTags());
    },
  });
  return {
    /**
     * Merges properties into those of a player.
     * @returns the merged properties as JSON text.
     * @throws ApiError 413 when the merged properties would be too large.
     */
    mergeProperties: (request: MergeRequest): Promise<string> => merges.submit(request),
    /** @returns all tags of the player. @throws ApiError 400 when there would be too many. */
    addTag: (player: PlayerKey, tag: string): Promise<string[]> => tags.submit({ player, tag }),
    /** Refuses new requests, and resolves when all accepted requests are answered. */
    async close() {
      await Promise.all([merges.close(), tags.close()]);
    },
  };
}

/** A writer for properties and tags that games send. It answers a request after the commit. */
export type PlayerWriter = ReturnType<typeof createPlayerWriter>;
