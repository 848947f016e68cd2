import { getPlayerStory } from '@overworld/contract/players/story';
import { getPlayerStoryTotals } from '@overworld/contract/players/story-totals';
import { STORY_KINDS } from '@overworld/contract/players/story-kinds';
import type { StoryKind } from '@overworld/contract/players/story-kinds';
import { badRequest, notFound } from '../../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../../platform/http/cursor.ts';
import { implement, JsonText } from '../../../platform/http/implement.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import { parseTime } from '../../../platform/iso-time.ts';
import { requirePlayer } from '../../../platform/players/player-lock.ts';
import type { PlayerServices } from '../player-services.ts';
import { END_OF_TIME_US, readStory, toEntry } from './story.ts';
import type { StoryPlace } from './story.ts';
import { countStory } from './story-totals.ts';

/** Mounts the routes of a player's story. */
export function mountStory(api: PlayerServices): void {
  const { history, story } = api;

  implement(api, getPlayerStory, async (call) => {
    const { params, query, role } = call;
    const { environment, limit, cursor, kind: kinds = STORY_KINDS, session_id } = query;
    const player = { ...params, environment };
    const after = readPlace(cursor);
    const before_us = readMoment(query.before);
    if (after === null) await history.waitForInbox(player);
    const answer = await call.read(async (database) => {
      await requirePlayer(database, player);
      const [session = null] =
        session_id === undefined ? [] : await history.findSessions(database, player, [session_id]);
      if (session_id !== undefined && session === null) throw notFound('Session not found');
      const { rows, next } = await readStory(database, story, player, {
        kinds,
        after,
        before_us,
        limit,
        session,
        event_name: query.event_name ?? null,
        is_developer: role !== 'viewer',
      });
      const named = rows.flatMap(({ entry }) => ('event_name' in entry ? entry.session_id : []));
      const session_ids = new Set(session_id === undefined ? named : [session_id, ...named]);
      const sessions = await history.findSessions(database, player, [...session_ids]);
      const next_cursor = next && encodeCursor([String(next.at_us), next.kind, next.key ?? '']);
      return { entries: rows.map(toEntry), sessions, next_cursor };
    });
    return new JsonText(writeJson(answer));
  });

  implement(api, getPlayerStoryTotals, async (call) => {
    const { params, query, role } = call;
    const player = { ...params, environment: query.environment };
    await history.waitForInbox(player);
    return call.read(async (database) => {
      await requirePlayer(database, player);
      return { totals: await countStory(database, story, player, role !== 'viewer') };
    });
  });
}

const isKind = (text: string): text is StoryKind =>
  (STORY_KINDS as readonly string[]).includes(text);
/** The kinds of entries whose keys are numbers. */
const NUMBERED: readonly StoryKind[] = ['event', 'change'];

/** @throws ApiError 400 when the cursor does not come from an answer of the story. */
function readPlace(cursor: string | undefined): StoryPlace | null {
  const texts = decodeCursor(cursor, ([at = '', kind = '', key = '', ...rest]) => {
    const isKey = !NUMBERED.includes(kind as StoryKind) || /^\d{1,18}$/.test(key);
    return rest.length === 0 && /^\d{1,16}$/.test(at) && isKind(kind) && isKey;
  });
  if (texts === null) return null;
  const [at_us, kind, key] = texts as [string, StoryKind, string];
  return { at_us: Number(at_us), kind, key };
}

/** @throws ApiError 400 for a date that does not exist. */
function readMoment(before: string | undefined): number {
  if (before === undefined) return END_OF_TIME_US;
  const ms = parseTime(before);
  if (ms === null || ms < 0) throw badRequest('before must be a time since 1970');
  return Math.min(ms * 1_000, END_OF_TIME_US);
}
