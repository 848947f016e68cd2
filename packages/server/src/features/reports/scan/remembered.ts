import type { DictionaryHashes } from './event-columns.ts';
import type { Numbering } from './numbering.ts';

const UNKNOWN = -2;

/** The numbers that a report gives to the numbers of a dictionary. Each is asked for only once. */
export interface Remembered {
  /** The length of the dictionary. */
  readonly length: number;
  of(number: number, numberOf: Numbering): number;
  /** Writes what a report calls the numbers at some places. */
  fill(numbers: Uint32Array, places: Uint32Array, into: Int32Array, numberOf: Numbering): void;
}

export function remember(hashes: DictionaryHashes): Remembered {
  // The first element is for `NO_PLAYER`, to which 1 is added as to other numbers. It has the hash 0, 0.
  const known = new Int32Array(hashes.length / 2 + 1).fill(UNKNOWN);
  const learn = (place: number, numberOf: Numbering) => {
    const at = 2 * (place - 1);
    const number = place === 0 ? numberOf(0, 0) : numberOf(hashes[at]!, hashes[at + 1]!);
    known[place] = number;
    return number;
  };
  return {
    length: hashes.length / 2,
    of(number, numberOf) {
      const place = (number + 1) >>> 0;
      return known[place] === UNKNOWN ? learn(place, numberOf) : known[place]!;
    },
    fill(numbers, places, into, numberOf) {
      for (let index = 0; index < places.length; index++) {
        const place = (numbers[places[index]!]! + 1) >>> 0;
        const found = known[place]!;
        into[index] = found === UNKNOWN ? learn(place, numberOf) : found;
      }
    },
  };
}

/** Each session takes 12 bytes. Sessions of further days are read again for each scan. */
const MAX_KEPT_SESSIONS = 8_000_000;

/** The sessions of sealed days, which the scans of one report read only once. */
export interface KnownSessions {
  /** The seed of the hashes of sessions; null before the first scan. */
  seed: string | null;
  get(name: string): Remembered | undefined;
  keep(name: string, sessions: Remembered): void;
}

export function createKnownSessions(max_sessions = MAX_KEPT_SESSIONS): KnownSessions {
  const days = new Map<string, Remembered>();
  let kept = 0;
  return {
    seed: null,
    get: (name) => days.get(name),
    keep(name, sessions) {
      if (days.has(name) || kept + sessions.length > max_sessions) return;
      days.set(name, sessions);
      kept += sessions.length;
    },
  };
}
