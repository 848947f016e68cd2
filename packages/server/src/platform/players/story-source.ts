import type { SuccessOf } from '@overworld/contract/operation';
import type { getPlayerStory } from '@overworld/contract/players/story';
import type { StoryKind } from '@overworld/contract/players/story-kinds';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import type { JsonText } from '../http/implement.ts';
import type { PlayerKey } from './player-key.ts';
import type { Session } from './player-history.ts';

type Entry = SuccessOf<typeof getPlayerStory>['entries'][number];
/** An entry whose JSON members are JSON text, as PostgreSQL returns it, so that large numbers stay exact. */
type WithText<E> = {
  [Name in keyof E]: Name extends 'properties' | 'details' ? JsonText : E[Name];
};

/** An entry of the story, for `writeJson`, without its kind and time. */
export type StoryEntry<Kind extends StoryKind = StoryKind> = Kind extends StoryKind
  ? WithText<Omit<Extract<Entry, { kind: Kind }>, 'kind' | 'at'>>
  : never;

/** The position of an entry among the entries of its kind, which are ordered by time and then by key. */
export interface StoryPosition {
  /** Microseconds since 1970. */
  at_us: number;
  /** Distinguishes entries of the same moment; null comes before all of them. */
  key: string | null;
}

export interface StoryRow<Kind extends StoryKind = StoryKind> {
  at_us: number;
  key: string;
  entry: StoryEntry<Kind>;
}

/** The entries to read, the latest first. */
export interface StoryRange {
  /** Only entries before this position. */
  before: StoryPosition;
  limit: number;
  /** The session whose entries are read; null if the entries of all sessions are read. */
  session: Session | null;
  /** The name of the events that are read; null if the events of all names are read. */
  event_name: string | null;
  /** True if the reader may see entries for developers. */
  is_developer: boolean;
}

/**
 * A source of the entries of one kind. One feature provides it. The players feature merges the entries of all
 * sources without knowing the other features.
 */
export interface StorySource<Kind extends StoryKind = StoryKind> {
  kind: Kind;
  /** Lists entries. Reads only as many entries as a page needs, even if the player has many more. */
  list(database: Queryable, player: PlayerKey, range: StoryRange): Promise<StoryPart<Kind>>;
}

export interface StoryPart<Kind extends StoryKind = StoryKind> {
  rows: StoryRow<Kind>[];
  /** The position at which the source gave up before the page was full; absent if it reached the end. */
  stopped_at?: StoryPosition;
}

/** SQL that converts a timestamptz to microseconds since 1970. The driver reads the result as a number. */
export const microseconds = (moment: Sql): Sql =>
  sql`(extract(epoch FROM ${moment}) * 1000000)::bigint`;

/** Writes a moment, given in microseconds since 1970, as PostgreSQL reads it. */
export function momentOf(at_us: number): string {
  const ms = Math.floor(at_us / 1_000);
  const rest = String(at_us - ms * 1_000).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}

/**
 * SQL that is true for rows before a position.
 * @param moment A timestamptz. @param key A text; rows of the same moment must have different keys.
 */
export const isEarlier = (moment: Sql, key: Sql, { at_us, key: last }: StoryPosition): Sql =>
  last === null
    ? sql`${moment} < ${momentOf(at_us)}::timestamptz`
    : sql`(${moment}, ${key} COLLATE "C") < (${momentOf(at_us)}::timestamptz, ${last}::text)`;
