import { MAX_TAGGED_PLAYERS } from '@overworld/contract/analytics/limits';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { TagChange } from '../../../platform/players/tags.ts';
import type { OwnerPath } from '../../../platform/queue/fair-queue.ts';
import { restAfter } from '../../../platform/rest.ts';
import type { SegmentSelection } from './segment.ts';
import type { Explorer } from '../thread/explorer.ts';

export interface TaggingServices {
  explorer: Explorer;
  /** Changes a tag of players. @returns the number of players whose tags have changed. */
  changeTagOfPlayers(
    database: Database,
    tenant: Tenant,
    player_ids: readonly string[],
    change: TagChange,
  ): Promise<number>;
}

interface Tagging {
  selection: SegmentSelection;
  change: TagChange;
  /** The conditions as they were sent, for the audit log. */
  conditions: Record<string, unknown>;
  actor: Actor;
  owner: OwnerPath;
  signal: AbortSignal;
  onShare?: ((share: number) => void) | undefined;
}

/**
 * The number of players that one statement changes, in about 10 ms. Other writes to these players wait
 * meanwhile.
 */
const PAGE_SIZE = 500;

/**
 * Changes a tag of all players of a segment, page by page. After each page, the function rests as long as the
 * page took. Until the end it reads the ids of the players from an open stream. The number of open streams is
 * limited, so the number of changes at the same time is limited too.
 * @throws ApiError 400 for too many players, before any player is changed.
 */
export async function tagSegment(
  database: Database,
  { explorer, changeTagOfPlayers }: TaggingServices,
  { selection, change, conditions, actor, owner, signal, onShare }: Tagging,
): Promise<{ count: number; changed: number }> {
  const { game_id, environment } = selection;
  const ids = await explorer.stream('segment_ids', selection, { owner, signal });
  let count = 0;
  let done = 0;
  let changed = 0;
  try {
    const lines = readLines(ids);
    count = Number((await lines.next()).value);
    if (count > MAX_TAGGED_PLAYERS) throw tooMany(count);
    // The entry is written before the first change, so a change that is cut short is in the audit log too.
    await insertAuditEntry(database, { actor, game_id }, 'tag_segment', change.tag, {
      environment,
      action: change.action,
      count,
      conditions,
    });
    onShare?.(0);
    for await (const line of lines) {
      const members = JSON.parse(line) as string[];
      for (let from = 0; from < members.length; from += PAGE_SIZE) {
        signal.throwIfAborted();
        const page = members.slice(from, from + PAGE_SIZE);
        const started_ms = performance.now();
        changed += await changeTagOfPlayers(database, { game_id, environment }, page, change);
        done += page.length;
        onShare?.(Math.min(1, done / count));
        await restAfter(performance.now() - started_ms, { signal });
      }
    }
  } finally {
    ids.destroy();
  }
  return { count, changed };
}

async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

const tooMany = (count: number) =>
  badRequest(
    `The segment has ${count.toLocaleString('en-US')} players; at most ${MAX_TAGGED_PLAYERS.toLocaleString('en-US')} can be tagged at once: add a condition`,
  );
