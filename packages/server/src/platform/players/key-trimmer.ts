import { forRowsOfEachGroup } from '../database/group-rows.ts';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';

/**
 * The most senders whose keys are looked at in a turn. If more have sent keys, some keep too many until they send
 * more.
 */
const MAX_NOTED = 10_000;

interface TrimmerOptions<Sender> {
  nameOf(sender: Sender): string;
  /** The number of keys that a sender must have sent through this trimmer until it looks at them. */
  min_keys: number;
  /** Deletes all but the newest keys of each sender. */
  deleteOldKeys(group: Database, senders: readonly Sender[]): Promise<unknown>;
}

/**
 * Keeps only the newest idempotency keys of each sender, such as a player, so that nobody fills the disk with them.
 * The keys of one batch have the same age, so some more may be kept.
 */
export function createKeyTrimmer<Sender extends { readonly game_id: string }>(
  database: GroupedDatabase,
  { nameOf, min_keys, deleteOldKeys }: TrimmerOptions<Sender>,
) {
  const noted = new Map<string, { sender: Sender; keys: number }>();
  return {
    /** Notes that the sender has sent a key. */
    note(sender: Sender) {
      const name = nameOf(sender);
      const known = noted.get(name);
      if (known !== undefined) known.keys++;
      else if (noted.size < MAX_NOTED) noted.set(name, { sender, keys: 1 });
    },
    /** Deletes old keys of those who have sent some; called by a timer. */
    async trim() {
      const due = [...noted].filter(([, { keys }]) => keys >= min_keys);
      if (noted.size < MAX_NOTED) for (const [name] of due) noted.delete(name);
      else noted.clear();
      const senders = due.map(([, { sender }]) => sender);
      await forRowsOfEachGroup(database, senders, deleteOldKeys);
    },
  };
}

export type KeyTrimmer<Sender extends { readonly game_id: string }> = ReturnType<
  typeof createKeyTrimmer<Sender>
>;
