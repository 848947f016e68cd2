import { STORY_KINDS } from '@overworld/contract/players/story-kinds';
import type { StoryKind } from '@overworld/contract/players/story-kinds';
import type { Queryable } from '../../../platform/database/database.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { Session } from '../../../platform/players/player-history.ts';
import { momentOf } from '../../../platform/players/story-source.ts';
import type {
  StoryPart,
  StoryPosition,
  StoryRange,
  StoryRow,
  StorySource,
} from '../../../platform/players/story-source.ts';
import { readTimestamp } from '../../../platform/database/sql.ts';

/**
 * A place in a player's story, which is a timeline of everything that happened to the player. Entries of the
 * same moment are in the order of `STORY_KINDS`.
 */
export interface StoryPlace extends StoryPosition {
  kind: StoryKind;
}

export interface StoryQuestion {
  kinds: readonly StoryKind[];
  /** Only entries that follow this place in the story are read; null begins with the latest entry. */
  after: StoryPlace | null;
  /** Only entries from before this moment are read. It is in microseconds since 1970. */
  before_us: number;
  limit: number;
  session: Session | null;
  event_name: string | null;
  is_developer: boolean;
}

interface KindRow extends StoryRow {
  kind: StoryKind;
}

/** A moment that is later than every entry. */
export const END_OF_TIME_US = Date.UTC(2200, 0) * 1_000;

/**
 * Reads a page of the story. Each source gives about one page of its entries, and the latest entries of all
 * sources make the page. So the cost does not grow with the length of the story.
 * @returns the rows, and as `next` the place after which the next page begins, or null at the end.
 */
export async function readStory(
  database: Queryable,
  sources: readonly StorySource[],
  player: PlayerKey,
  question: StoryQuestion,
): Promise<{ rows: KindRow[]; next: StoryPlace | null }> {
  const { kinds, limit } = question;
  const asked = sources.filter(({ kind }) => kinds.includes(kind));
  const rows: KindRow[] = [];
  let stop: StoryPlace | null = null;
  // The sources are read one after the other, so one call uses only one connection.
  for (const source of asked) {
    const part = await listPart(database, source, player, question);
    for (const row of part.rows) rows.push({ ...row, kind: source.kind });
    if (part.stopped_at) stop = { ...part.stopped_at, kind: source.kind };
  }
  // Sources give their rows in order, and sorting keeps the order of equal rows.
  rows.sort(compareMoments);
  const seen = stop === null ? rows : rows.filter((row) => !isAfter(row, stop));
  if (seen.length > limit) {
    const page = seen.slice(0, limit);
    const { at_us, key, kind } = page.at(-1)!;
    return { rows: page, next: { at_us, key, kind } };
  }
  return { rows: seen, next: stop };
}

/**
 * Compares two places. The result is negative if `a` comes before `b` in the story: either `a` is later, or
 * both have the same moment and the kind of `a` comes first.
 */
const compareMoments = (a: Omit<StoryPlace, 'key'>, b: Omit<StoryPlace, 'key'>): number =>
  b.at_us - a.at_us || STORY_KINDS.indexOf(a.kind) - STORY_KINDS.indexOf(b.kind);

const isAfter = (row: KindRow, stop: StoryPlace): boolean => compareMoments(stop, row) < 0;

async function listPart(
  database: Queryable,
  source: StorySource,
  player: PlayerKey,
  { after, before_us, limit, session, event_name, is_developer }: StoryQuestion,
): Promise<StoryPart> {
  const range: StoryRange = {
    before: earlier(startAfter(source.kind, after), { at_us: before_us, key: null }),
    limit: limit + 1,
    session,
    event_name,
    is_developer,
  };
  // The events of a session are found by the id of the session. Entries
  // of other kinds belong to the session if their time lies in it.
  if (session === null || source.kind === 'event') return source.list(database, player, range);
  const ends_us = Date.parse(session.last_event_at) * 1_000 + 1_000;
  const before = earlier(range.before, { at_us: ends_us, key: null });
  const { rows } = await source.list(database, player, { ...range, before });
  const starts_us = Date.parse(session.started_at) * 1_000;
  return { rows: rows.filter(({ at_us }) => at_us >= starts_us) };
}

/** Returns a position in the entries of one kind: the page after the place `after` begins there. */
function startAfter(kind: StoryKind, after: StoryPlace | null): StoryPosition {
  if (after === null) return { at_us: END_OF_TIME_US, key: null };
  if (kind === after.kind) return after;
  const comesLater = STORY_KINDS.indexOf(kind) > STORY_KINDS.indexOf(after.kind);
  return { at_us: comesLater ? after.at_us + 1 : after.at_us, key: null };
}

const earlier = (a: StoryPosition, b: StoryPosition): StoryPosition => (b.at_us <= a.at_us ? b : a);

/** Makes an entry that `writeJson` can write. */
export const toEntry = ({ kind, at_us, entry }: KindRow) => ({
  kind,
  at: readTimestamp(momentOf(at_us).replace('T', ' ').replace('Z', '+00')),
  ...entry,
});
