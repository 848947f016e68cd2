import type { Answer } from '../../../api/operations.ts';
import { calendarDayOf } from '../../../ui/time/format-time.ts';

export const STORY = 'GET /v1/games/{game_id}/players/{player_id}/story';
export const STORY_TOTALS = 'GET /v1/games/{game_id}/players/{player_id}/story/totals';
export type StoryTotals = Answer<typeof STORY_TOTALS>['totals'];
export type StoryEntry = Answer<typeof STORY>['entries'][number];
export type StorySession = Answer<typeof STORY>['sessions'][number];

/** Entries that follow each other on one day and in one session. */
export interface StoryGroup {
  key: string;
  /** True for the first group of its day. */
  begins_day: boolean;
  /** Null for entries between sessions. */
  session: StorySession | null;
  /** True if a later part of the session is in a group above this one. */
  goes_on: boolean;
  entries: StoryEntry[];
}

/** Saves and scores that a game sends this close to a session belong to that session. */
const SLACK_MS = 60_000;

/** Groups the entries of a story by calendar day and session. The latest entry must come first. */
export function groupStory(
  entries: readonly StoryEntry[],
  sessions: readonly StorySession[],
  zone: string,
): StoryGroup[] {
  // An entry during several open sessions belongs to the session that ended last.
  const by_end = sessions.toSorted((a, b) => (a.last_event_at < b.last_event_at ? 1 : -1));
  const known = new Map(by_end.map((session) => [session.session_id, session]));
  const shown = new Set<string>();
  const groups: StoryGroup[] = [];
  let day = '';
  for (const entry of entries) {
    const last = groups.at(-1);
    const session = findSession(entry, known, last?.session ?? null);
    const entry_day = calendarDayOf(new Date(entry.at), zone);
    if (last && entry_day === day && last.session?.session_id === session?.session_id) {
      last.entries.push(entry);
      continue;
    }
    const session_id = session?.session_id;
    groups.push({
      key: `${groups.length} ${session_id ?? ''}`,
      begins_day: entry_day !== day,
      session,
      goes_on: session_id !== undefined && shown.has(session_id),
      entries: [entry],
    });
    if (session_id !== undefined) shown.add(session_id);
    day = entry_day;
  }
  return groups;
}

/** Finds the session that an event names; for other entries, a session that was open at their time. */
function findSession(
  entry: StoryEntry,
  known: ReadonlyMap<string, StorySession>,
  current: StorySession | null,
): StorySession | null {
  if (entry.kind === 'event') return known.get(entry.session_id) ?? null;
  const at = Date.parse(entry.at);
  const isOpen = ({ started_at, last_event_at }: StorySession) =>
    at >= Date.parse(started_at) - SLACK_MS && at <= Date.parse(last_event_at) + SLACK_MS;
  if (current && isOpen(current)) return current;
  return [...known.values()].find(isOpen) ?? null;
}
