import { MAX_NAMED_PROPERTIES } from '@overworld/contract/players/story';
import { sql } from '../../../platform/database/sql.ts';
import { JsonText } from '../../../platform/http/implement.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import { isEarlier, microseconds } from '../../../platform/players/story-source.ts';
import type { StorySource } from '../../../platform/players/story-source.ts';

interface Row {
  at_us: number;
  key: string;
  /**
   * For each changed property: its name, its value before the change (null if it had none), and its new
   * value. The list is null if the properties were too large to compare.
   */
  properties: [name: string, before: string | null, after: string][] | null;
  added_tag: string | null;
  removed_tag: string | null;
}

const KEY = sql`lpad(number::text, 10, '0')`;

/**
 * The story entries for changes that the game made to a player. At most a hundred are kept for each player.
 */
export const gameChangeStory: StorySource<'game_change'> = {
  kind: 'game_change',
  async list(database, player, { before: place, limit }) {
    const rows = await database.query<Row>(sql`
      SELECT ${microseconds(sql`changed_at`)} AS at_us, ${KEY} AS key, properties, added_tag,
             removed_tag
      FROM player_changes
      WHERE ${isOfPlayer(player)} AND ${isEarlier(sql`changed_at`, KEY, place)}
      ORDER BY changed_at DESC, number DESC
      LIMIT ${limit}`);
    return {
      rows: rows.map(({ at_us, key, properties, ...tags }) => {
        const named = properties?.slice(0, MAX_NAMED_PROPERTIES) ?? [];
        const changed = named.map(([name, before, after]) => ({ name, before, after }));
        const is_of_tag = tags.added_tag !== null || tags.removed_tag !== null;
        const has_more = !is_of_tag && named.length !== properties?.length;
        return {
          at_us,
          key,
          entry: { properties: new JsonText(JSON.stringify(changed)), has_more, ...tags },
        };
      }),
    };
  },
};
