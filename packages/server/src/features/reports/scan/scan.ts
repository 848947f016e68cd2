import type { SentConditions } from '../../../platform/property-conditions.ts';
import type { Numbering } from './numbering.ts';
import type { KnownSessions } from './remembered.ts';

/** Numbers the values of a property, as reports group by them. */
export interface ValueNumbering {
  /** Null for values of players: the hash is then the one of the player. */
  readonly property: string | null;
  /** Takes values in upper case. Only ASCII letters change. */
  readonly in_upper_case?: boolean;
  numberOf(high: number, low: number, source: ValueSource): number;
}

/** The text of a value, or the times of receipt between which an event with this value was received. */
export type ValueSource =
  | { text: string }
  | { first_received_at: string; last_received_at: string };

/** Numbers sessions. Scans of one report may share what is known of sealed days, and their numbers. */
export interface SessionNumbering {
  numberOf: Numbering;
  known: KnownSessions;
}

/** The events that a report reads, and the columns that it gets of them. */
export interface Scan {
  /** Names of the events. Null means all names, for which far more is read. */
  names: readonly string[] | null;
  /** Names whose events are left out. */
  hidden_names?: readonly string[];
  /** Only events that meet all conditions of one of these lists. */
  choices?: readonly SentConditions[];
  /** Only events whose property, as the name of a group, is this value. */
  in_group?: { property: string; value: string | null };
  /** Only events whose property is this code of a currency, in upper or lower case. */
  in_currency?: { property: string; currency: string };
  /** Only events that were sent with this API key. */
  key_id?: string | null;
  /** Also reads events that name no player. */
  with_anonymous?: boolean;
  /** Tells whether the report counts the events of a player. The arguments are the halves of the player's hash. */
  keeps?: (high: number, low: number) => boolean;
  columns: {
    players?: Numbering;
    /** Numbers pairs of a session and its player, because two players may use the same session id. */
    sessions?: SessionNumbering;
    names?: Numbering;
    times?: boolean;
    ids?: boolean;
    /** For each event, the choices that it meets, as bits. */
    masks?: boolean;
    /** The property whose numbers are read. */
    numbers?: string | null;
    values?: readonly ValueNumbering[];
  };
  onEvents(events: ScannedEvents): void;
}

/**
 * The columns of some events. An index stands for the same event in each column. Columns that the scan did not
 * ask for are empty. The arrays are valid until the next call.
 */
export interface ScannedEvents {
  count: number;
  /** -1 for an event without a player. */
  players: Int32Array;
  sessions: Int32Array;
  names: Int32Array;
  /** Microseconds since 2000. */
  times: Float64Array;
  ids: Float64Array;
  masks: Uint8Array;
  /** NaN for an event without a number. */
  numbers: Float64Array;
  /** A column for each numbering of values. */
  values: readonly Int32Array[];
}

/**
 * Makes a function that returns columns with room for some events. It returns the same columns again while they
 * are long enough.
 */
export function createRoom(wanted: Scan['columns']) {
  const make = (length: number): Omit<ScannedEvents, 'count'> => {
    const integers = (is_wanted: unknown) => new Int32Array(is_wanted ? length : 0);
    const doubles = (is_wanted: unknown) => new Float64Array(is_wanted ? length : 0);
    return {
      players: integers(wanted.players),
      sessions: integers(wanted.sessions),
      names: integers(wanted.names),
      times: doubles(wanted.times),
      ids: doubles(wanted.ids),
      masks: new Uint8Array(wanted.masks ? length : 0),
      numbers: doubles(wanted.numbers),
      values: (wanted.values ?? []).map(() => integers(true)),
    };
  };
  let length = 0;
  let columns = make(length);
  return (needed: number) => {
    if (needed > length) columns = make((length = needed));
    return columns;
  };
}
