import type { Environment } from '@overworld/contract/common';
import type { CopiedRow } from '../../../platform/database/copy-out.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** The number in a column of players that stands for an event without a player. */
export const NO_PLAYER = 0xffff_ffff;

/**
 * The values of a property in a list of events. There are two forms:
 *
 * - A dictionary. `values` has each different value once, as the JSON text that PostgreSQL writes for `jsonb`,
 *   but without zeros at the end of decimals, also in lists and objects: `3`, `3.0` and `3e0` are `3`. `codes`
 *   has a number for each event: 0 if the event lacks the property, else the index in `values` plus 1. A
 *   property that is `null` has the value `null`.
 * - Plain numbers, NaN for an event that lacks the property. This form is only for properties that all events
 *   either lack or have as a number for which `String(number)` is that JSON text. So the text of each value
 *   is known, and numbers are in the order of their texts' values.
 */
export type PropertyColumn =
  | { values: readonly string[]; codes: Uint8Array | Uint16Array | Uint32Array }
  | { numbers: Float64Array };

/** The columns of events that a reader asks for, beside the players. */
export interface WantedColumns {
  without_players?: boolean;
  times?: boolean;
  ids?: boolean;
  sessions?: boolean;
  /** The API keys with which the events were sent. */
  keys?: boolean;
  properties: readonly string[];
}

/** The events of one name that a game received in one environment on one UTC day, as sealed columns. */
export interface SealedPart {
  /** The UTC day of receipt, such as `2026-11-30`. */
  day: string;
  event_name: string;
  /** A day and name may have several parts. */
  part: number;
  count: number;
  /** The version of the game's day at which the columns were sealed. */
  version: string;
}

/**
 * The columns of a part. An index stands for the same event in each column. The order of the events has no
 * meaning. A column that was not asked for is empty.
 */
export interface SealedColumns {
  part: SealedPart;
  count: number;
  /** Numbers of the game's dictionary of players; `NO_PLAYER` for none. */
  players: Uint32Array;
  /** The times at which the events occurred, in microseconds since 2000. */
  times: Float64Array;
  ids: Float64Array;
  /** Numbers of the day's dictionary of sessions, which all names of the day share. */
  sessions: Uint32Array;
  /** Indexes in `key_ids`. */
  keys: Uint32Array;
  key_ids: readonly string[];
  /** A column for each property that was asked for. A property that no event has is an empty dictionary with codes 0. */
  properties: ReadonlyMap<string, PropertyColumn>;
}

/** A game in one environment. */
interface Tenant {
  game_id: string;
  environment: Environment;
}

/**
 * The hashes of the texts behind the numbers of a dictionary. The hash of number `n` is in the elements `2 * n`
 * (the high half) and `2 * n + 1` (the low half). The numbers of erased players have the hash 0, 0.
 */
export type DictionaryHashes = Int32Array;

/** The database of a game, as `ExploreDatabase` in `thread`. */
export interface ColumnDatabase {
  query<Row extends object>(statement: Sql, signal: AbortSignal): Promise<Row[]>;
  copy(statement: Sql, signal: AbortSignal): Promise<CopiedRow[]>;
}

/** Reads the sealed events of one game. */
export interface SealedEvents {
  /**
   * Lists the parts of these days and names (null for all names) that are sealed at the present version of
   * their day.
   * @returns the parts with events, and the days that are sealed at all. A name without a part has no events
   * on such a day. A day that is not sealed, or no longer valid, is read from the rows.
   */
  list(
    database: ColumnDatabase,
    tenant: Tenant,
    range: { first_day: string; last_day: string; names: readonly string[] | null },
    signal: AbortSignal,
  ): Promise<{ days: readonly string[]; parts: readonly SealedPart[] }>;
  /**
   * Reads columns of parts with one statement, and decodes them. The caller chooses parts whose columns fit
   * into memory together.
   * @returns the parts that are not at this version any more, whose stored bytes are not what was written, or in
   * which the values of a wanted property are only in the rows. All parts of their name and day are read from the
   * rows: none of them is passed to `onColumns`, if all are asked for together.
   */
  read(
    database: ColumnDatabase,
    tenant: Tenant,
    parts: readonly SealedPart[],
    wanted: WantedColumns,
    onColumns: (columns: SealedColumns) => void,
    signal: AbortSignal,
  ): Promise<readonly SealedPart[]>;
  /**
   * The hashes of the game's players by their numbers, `hashtextextended(player_id, SEED)` with the seed of
   * `packet.ts`. They are kept in memory, so a later call reads only new numbers.
   */
  readPlayers(
    database: ColumnDatabase,
    tenant: Tenant,
    signal: AbortSignal,
  ): Promise<DictionaryHashes>;
  /**
   * The hashes of a day's sessions by their numbers: `hashtextextended(session_id, seed)`, with a secret seed that
   * is stored beside the columns, XOR the hash of the player as in `readPlayers`, or 0 for no player. One session
   * has one hash on all days, and merges move it to the player who stays.
   * @param players The hashes of the game's players, from `readPlayers`.
   * @returns null if the day is not sealed any more, or its stored bytes are not what was written. Its events are
   * then read from the rows.
   */
  readSessions(
    database: ColumnDatabase,
    tenant: Tenant,
    day: string,
    players: DictionaryHashes,
    signal: AbortSignal,
  ): Promise<DictionaryHashes | null>;
  /** The seed of the hashes of sessions, for events that are read from rows. */
  readSessionSeed(database: ColumnDatabase, tenant: Tenant, signal: AbortSignal): Promise<string>;
}
