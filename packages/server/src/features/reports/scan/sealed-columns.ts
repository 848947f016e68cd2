import { hashText } from '../../../platform/database/text-hash.ts';
import { compileConditions, keepMatching } from './condition-tests.ts';
import { NO_PLAYER } from './event-columns.ts';
import type {
  DictionaryHashes,
  PropertyColumn,
  SealedColumns,
  WantedColumns,
} from './event-columns.ts';
import type { EventSelection } from './event-selection.ts';
import { cutGroupValue } from './group-value.ts';
import { readNumbers } from './number-texts.ts';
import { packedTime, VALUE_SEED } from './packet.ts';
import { createRoom } from './scan.ts';
import type { Numbering, Scan, ScannedEvents, ValueNumbering } from './scan.ts';

/** Lists the sealed columns that a scan needs. */
export function wantedColumns({
  choices = [],
  in_group,
  in_currency,
  key_id,
  columns,
}: Scan): WantedColumns {
  const { sessions, ids, numbers = null, values = [] } = columns;
  const properties = new Set([
    ...choices.flatMap((choice) => compileConditions(choice).map(({ property }) => property)),
    ...values.flatMap(({ property }) => (property === null ? [] : [property])),
  ]);
  for (const asked of [in_group, in_currency]) if (asked) properties.add(asked.property);
  if (numbers !== null) properties.add(numbers);
  return {
    // The times tell which events occurred within the days of a report.
    times: true,
    ids: ids === true,
    sessions: sessions !== undefined,
    keys: typeof key_id === 'string',
    properties: [...properties],
  };
}

/**
 * Makes the function that turns sealed columns into those of a scan.
 * @param player_hashes The hashes of the game's players.
 */
export function createSealedReader(
  scan: Scan,
  selection: EventSelection,
  player_hashes: DictionaryHashes,
): (sealed: SealedColumns, session_hashes: DictionaryHashes | null) => ScannedEvents {
  const { choices = [], columns, keeps } = scan;
  const { numbers = null, values = [] } = columns;
  const tests = choices.map(compileConditions);
  const [starts, ends] = [packedTime(selection.starts_at), packedTime(selection.ends_at)];
  const room = createRoom(columns);
  const isKept = keeps && remember(player_hashes, (high, low) => Number(keeps(high, low)));
  const { players: numberPlayer } = columns;
  const playerOf =
    numberPlayer &&
    remember(player_hashes, (high, low) =>
      high === 0 && low === 0 ? -1 : numberPlayer(high, low),
    );
  const ofPlayer = values.map((value) =>
    value.property === null
      ? remember(player_hashes, (high, low) => value.numberOf(high, low, { text: '' }))
      : null,
  );

  /** The sessions of the last day that was read. */
  let day: { hashes: DictionaryHashes | null; numbers: Remembered | null } = {
    hashes: null,
    numbers: null,
  };

  /** Returns 1 for each event that the scan asks for, 0 for all others, and writes the masks of choices. */
  const choose = (sealed: SealedColumns, masks: Uint8Array) => {
    const { count, times, players } = sealed;
    const kept = new Uint8Array(count);
    for (let index = 0; index < count; index++) {
      const is_in_range = times[index]! >= starts && times[index]! < ends;
      const counts = scan.with_anonymous === true || players[index] !== NO_PLAYER;
      kept[index] = Number(is_in_range && counts);
    }
    if (typeof scan.key_id === 'string') {
      const key = sealed.key_ids.indexOf(scan.key_id);
      for (let index = 0; index < count; index++) {
        kept[index]! &= Number(sealed.keys[index] === key);
      }
    }
    const keepTexts = (property: string, test: (text: string | null) => boolean) => {
      const of = (json: string | undefined) => test(json === undefined ? null : textOf(json));
      const condition = { property, ofText: of, ofNumber: (number: number) => of(String(number)) };
      keepMatching(condition, columnOf(sealed, property), kept);
    };
    const { in_group, in_currency } = scan;
    if (in_group) {
      keepTexts(in_group.property, (text) => cutGroupValue(text) === in_group.value);
    }
    if (in_currency) {
      const isCurrency = (text: string | null) => upperCase(text) === in_currency.currency;
      keepTexts(in_currency.property, isCurrency);
    }
    if (choices.length === 0) return kept;
    if (choices.length === 1) {
      for (const each of tests[0]!) keepMatching(each, columnOf(sealed, each.property), kept);
      masks.fill(1);
      return kept;
    }
    tests.forEach((conditions, place) => {
      const meets = kept.slice();
      for (const each of conditions) keepMatching(each, columnOf(sealed, each.property), meets);
      for (let index = 0; index < count; index++) masks[index]! |= meets[index]! << place;
    });
    for (let index = 0; index < count; index++) kept[index]! &= Number(masks[index] !== 0);
    return kept;
  };

  return (sealed, session_hashes) => {
    const all_masks = new Uint8Array(columns.masks || choices.length > 1 ? sealed.count : 0);
    const chosen = choose(sealed, all_masks);
    const places = new Uint32Array(sealed.count);
    let count = 0;
    for (let index = 0; index < chosen.length; index++) {
      places[count] = index;
      count += chosen[index]!;
    }
    if (isKept) count = keepPlaces(places, count, sealed.players, isKept);
    const into = room(count);
    const listed = places.subarray(0, count);
    const is_whole = count === sealed.count;
    const pick = (column: Float64Array, room_for: Float64Array) =>
      is_whole ? column : gather(column, listed, room_for);
    if (playerOf) playerOf.fill(sealed.players, listed, into.players);
    if (columns.sessions) {
      if (day.hashes !== session_hashes) {
        day = { hashes: session_hashes, numbers: remember(session_hashes!, columns.sessions) };
      }
      day.numbers!.fill(sealed.sessions, listed, into.sessions);
    }
    if (columns.names) {
      const { high, low } = hashText(sealed.part.event_name, VALUE_SEED);
      into.names.fill(columns.names(high, low), 0, count);
    }
    if (columns.masks) gather(all_masks, listed, into.masks);
    values.forEach((value, index) => {
      const by_player = ofPlayer[index];
      if (by_player) by_player.fill(sealed.players, listed, into.values[index]!);
      else fillValues(value, columnOf(sealed, value.property!), listed, into.values[index]!);
    });
    return {
      ...into,
      count,
      times: columns.times ? pick(sealed.times, into.times) : into.times,
      ids: columns.ids ? pick(sealed.ids, into.ids) : into.ids,
      numbers:
        numbers === null
          ? into.numbers
          : readNumbersOf(columnOf(sealed, numbers), listed, into.numbers),
    };
  };
}

/** Keeps those places whose players the report counts. @returns their number. */
function keepPlaces(
  places: Uint32Array,
  count: number,
  players: Uint32Array,
  isKept: Remembered,
): number {
  let left = 0;
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    places[left] = place;
    if (isKept.of(players[place]!) === 1) left++;
  }
  return left;
}

/** Copies the elements of a column at some places. */
function gather<A extends Float64Array | Uint8Array>(column: A, places: Uint32Array, into: A): A {
  for (let index = 0; index < places.length; index++) into[index] = column[places[index]!]!;
  return into;
}

const UNKNOWN = -2;

/** The numbers that a report gives to the numbers of a dictionary. Each is asked for only once. */
interface Remembered {
  of(number: number): number;
  fill(numbers: Uint32Array, places: Uint32Array, into: Int32Array): void;
}

function remember(hashes: DictionaryHashes, numberOf: Numbering): Remembered {
  // The first element is for `NO_PLAYER`, to which 1 is added as to other numbers. It has the hash 0, 0.
  const known = new Int32Array(hashes.length / 2 + 1).fill(UNKNOWN);
  const learn = (place: number) => {
    const at = 2 * (place - 1);
    known[place] = place === 0 ? numberOf(0, 0) : numberOf(hashes[at]!, hashes[at + 1]!);
    return known[place];
  };
  return {
    of(number) {
      const place = (number + 1) >>> 0;
      return known[place] === UNKNOWN ? learn(place) : known[place]!;
    },
    fill(numbers, places, into) {
      for (let index = 0; index < places.length; index++) {
        const place = (numbers[places[index]!]! + 1) >>> 0;
        const found = known[place]!;
        into[index] = found === UNKNOWN ? learn(place) : found;
      }
    },
  };
}

const columnOf = ({ properties }: SealedColumns, property: string): PropertyColumn =>
  properties.get(property)!;

/** Returns a value as `propertyText` writes it; null for the JSON value null. */
const textOf = (json: string): string | null => {
  if (json.startsWith('"')) return JSON.parse(json) as string;
  return json === 'null' ? null : json;
};

/** Writes ASCII letters as capitals. */
const upperCase = (text: string | null): string | null =>
  text === null ? null : text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Reads the numbers in a column; NaN for all other values. */
function readNumbersOf(
  column: PropertyColumn,
  places: Uint32Array,
  into: Float64Array,
): Float64Array {
  if ('numbers' in column) {
    return column.numbers.length === places.length
      ? column.numbers
      : gather(column.numbers, places, into);
  }
  const { values, codes } = column;
  const numbers = new Float64Array(values.length + 1).fill(Number.NaN);
  if (values.length > 0) readNumbers(values.join('\n'), numbers, 1);
  for (let index = 0; index < places.length; index++) {
    into[index] = numbers[codes[places[index]!]!]!;
  }
  return into;
}

/** Numbers the values of events, each value of the column only once. */
function fillValues(
  { in_upper_case, numberOf }: ValueNumbering,
  column: PropertyColumn,
  places: Uint32Array,
  into: Int32Array,
): void {
  const numberOfJson = (json: string | undefined) => {
    const text = json === undefined ? null : textOf(json);
    if (text === null) return numberOf(0, 0, { text: '' });
    const named = in_upper_case ? upperCase(text)! : text;
    const { high, low } = hashText(named, VALUE_SEED);
    return numberOf(high, low, { text: cutGroupValue(named)! });
  };
  if ('numbers' in column) {
    const known = new Map<number, number>();
    for (let index = 0; index < places.length; index++) {
      const number = column.numbers[places[index]!]!;
      let found = known.get(number);
      if (found === undefined) {
        found = numberOfJson(Number.isNaN(number) ? undefined : String(number));
        known.set(number, found);
      }
      into[index] = found;
    }
    return;
  }
  const { values, codes } = column;
  const known = new Int32Array(values.length + 1).fill(UNKNOWN);
  for (let index = 0; index < places.length; index++) {
    const code = codes[places[index]!]!;
    if (known[code] === UNKNOWN) known[code] = numberOfJson(values[code - 1]);
    into[index] = known[code]!;
  }
}
