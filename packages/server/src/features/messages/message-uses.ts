import type { Audience, Reward } from '@overworld/contract/messages/message-fields';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import type { StoredAudience } from './message.ts';

/** The things that a message or a schedule names. */
interface Named {
  stats: ReadonlySet<string>;
  achievements: ReadonlySet<string>;
  segment: string | null;
}

/**
 * Lists the messages to many players that have not ended, and the schedules of messages, whose conditions or
 * rewards are about a statistic, whose rewards give an achievement, or that will be sent to a saved segment.
 * Messages to one player are not looked through: a game may have millions.
 */
export async function listMessageUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (!things.some(({ kind }) => ['stat', 'achievement', 'segment'].includes(kind))) return lists;
  const pause = createPauses();
  const note = (user: string, named: Named) => {
    for (const [index, thing] of things.entries()) {
      if (isNamed(thing, named)) lists[index]!.push(user);
    }
  };
  for (const { title, audience, rewards, is_judged } of await listOpen(tx, game_id)) {
    await pause();
    // The members at the time of sending stay, whatever the conditions were about. Those of a segment are copied.
    note(
      `the message "${title}"`,
      readNamed(is_judged ? audience.properties : [], rewards, undefined),
    );
  }
  const schedules = await tx.query<{ content: ScheduledContent }>(sql`
    SELECT content FROM message_schedules WHERE game_id = ${game_id}
    ORDER BY created_at, schedule_id`);
  for (const { content } of schedules) {
    await pause();
    const { title, to, rewards } = content;
    note(`the scheduled message "${title}"`, readNamed(to.properties, rewards, to.segment));
  }
  return lists;
}

/** The content of a schedule, as far as this file knows it. */
interface ScheduledContent {
  title: string;
  to: Audience;
  rewards?: Reward[];
}

function isNamed(thing: UsedThing, { stats, achievements, segment }: Named): boolean {
  switch (thing.kind) {
    case 'stat':
      return stats.has(thing.key);
    case 'achievement':
      return achievements.has(thing.key);
    case 'segment':
      return thing.name === segment;
    default:
      return false;
  }
}

const listOpen = (tx: Queryable, game_id: string) =>
  tx.query<{ title: string; audience: StoredAudience; rewards: Reward[]; is_judged: boolean }>(sql`
    SELECT title, audience, rewards, member_count IS NULL AS is_judged FROM messages
    WHERE game_id = ${game_id} AND player_id IS NULL AND recalled_at IS NULL
      AND (ends_at IS NULL OR ends_at > now())
    ORDER BY sent_at, message_id`);

function readNamed(
  conditions: StoredAudience['properties'] = [],
  rewards: readonly Reward[] = [],
  segment: string | undefined,
): Named {
  const keysOf = (of: Reward['type']) =>
    rewards.flatMap(({ type, key }) => (type === of ? [key] : []));
  const compared = conditions.flatMap((condition) => ('stat' in condition ? [condition.stat] : []));
  return {
    stats: new Set([...compared, ...keysOf('stat')]),
    achievements: new Set(keysOf('achievement')),
    segment: segment ?? null,
  };
}
