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
import type { Numbering } from './numbering.ts';
import { packedTime, VALUE_SEED } from './packet.ts';
import { remember } from './remembered.ts';
import type { Remembered } from './remembered.ts';
import { createRoom } from './scan.ts';
import type { Scan, ScannedEvents, ValueNumbering } from './scan.ts';

/** Lists the sealed columns that a scan needs. */
export function wantedColumns(scan: Scan): WantedColumns {
  const { choices = [], in_group, in_currency, key_id, columns } = scan;
  const { players, sessions, ids, numbers = null, values = [] } = columns;
  const properties = new Set([
    ...choices.flatMap((choice) => compileConditions(choice).map(({ property }) => property)),
    ...values.flatMap(({ property }) => (property === null ? [] : [property])),
  ]);
  for (const asked of [in_group, in_currency]) if (asked) properties.add(asked.property);
  if (numbers !== null) properties.add(numbers);
  const is_by_player = players !== undefined || values.some(({ property }) => property === null);
  return {
    without_players: scan.with_anonymous === true && scan.keeps === undefined && !is_by_player,
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
): (sealed: SealedColumns, sessions: Remembered | null) => ScannedEvents {
  const { choices = [], columns, keeps } = scan;
  const { numbers = null, values = [] } = columns;
  const tests = choices.map(compileConditions);
  const [starts, ends] = [packedTime(selection.starts_at), packedTime(selection.ends_at)];
  const room = createRoom(columns);
  const players_kept = keeps && remember(player_hashes);
  const isKept = (high: number, low: number) => Number(keeps!(high, low));
  const { players: numberPlayer, sessions: numbered } = columns;
  const players_numbered = numberPlayer && remember(player_hashes);
  const playerOf = (high: number, low: number) =>
    high === 0 && low === 0 ? -1 : numberPlayer!(high, low);
  const ofPlayer = values.map(({ property }) =>
    property === null ? remember(player_hashes) : null,
  );
  const takes_all = scan.with_anonymous === true;
  /** True if only the time and the player of an event decide whether the scan asks for it. */
  const is_plain =
    choices.length <= 1 &&
    tests.every((conditions) => conditions.length === 0) &&
    typeof scan.key_id !== 'string' &&
    !scan.in_group &&
    !scan.in_currency;
  let places = new Uint32Array(0);

  /** Returns 1 for each event that the scan asks for, 0 for all others, and writes the masks of choices. */
  const choose = (sealed: SealedColumns, masks: Uint8Array) => {
    const { count, times, players } = sealed;
    const kept = new Uint8Array(count);
    for (let index = 0; index < count; index++) {
      const is_in_range = times[index]! >= starts && times[index]! < ends;
      const counts = takes_all || players[index] !== NO_PLAYER;
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

  /** Lists the places of the events that the scan asks for. @returns their number. */
  const list = (sealed: SealedColumns, masks: Uint8Array) => {
    const { count, times, players } = sealed;
    if (places.length < count) places = new Uint32Array(count);
    let listed = 0;
    if (is_plain) {
      for (let index = 0; index < count; index++) {
        places[listed] = index;
        if (times[index]! < starts || times[index]! >= ends) continue;
        if (takes_all || players[index] !== NO_PLAYER) listed++;
      }
    } else {
      const chosen = choose(sealed, masks);
      for (let index = 0; index < count; index++) {
        places[listed] = index;
        listed += chosen[index]!;
      }
    }
    return players_kept ? keepPlaces(places, listed, players, players_kept, isKept) : listed;
  };

  return (sealed, sessions) => {
    const all_masks = new Uint8Array(columns.masks || choices.length > 1 ? sealed.count : 0);
    const count = list(sealed, all_masks);
    if (is_plain && choices.length === 1) all_masks.fill(1);
    const into = room(count);
    const listed = places.subarray(0, count);
    const is_whole = count === sealed.count;
    const pick = (column: Float64Array, room_for: Float64Array) =>
      is_whole ? column : gather(column, listed, room_for);
    if (players_numbered) players_numbered.fill(sealed.players, listed, into.players, playerOf);
    if (numbered) sessions!.fill(sealed.sessions, listed, into.sessions, numbered.numberOf);
    if (columns.names) {
      const { high, low } = hashText(sealed.part.event_name, VALUE_SEED);
      into.names.fill(columns.names(high, low), 0, count);
    }
    if (columns.masks) gather(all_masks, listed, into.masks);
    values.forEach((value, index) => {
      const by_player = ofPlayer[index];
      if (by_player) by_player.fill(sealed.players, listed, into.values[index]!, valueOf(value));
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
  known: Remembered,
  isKept: Numbering,
): number {
  let left = 0;
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    places[left] = place;
    if (known.of(players[place]!, isKept) === 1) left++;
  }
  return left;
}

/** Numbers the values of players. */
const valueOf =
  ({ numberOf }: ValueNumbering): Numbering =>
  (high, low) =>
    numberOf(high, low, { text: '' });

/** Copies the elements of a column at some places. */
function gather<A extends Float64Array | Uint8Array>(column: A, places: Uint32Array, into: A): A {
  for (let index = 0; index < places.length; index++) into[index] = column[places[index]!]!;
  return into;
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

const UNKNOWN = -2;

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
