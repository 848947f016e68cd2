import type { PartEvents } from './codec/part.ts';
import type { Values } from './codec/property-values.ts';
import { copy, createPropertyReader, withoutZeros } from './property-spans.ts';

/** An event with more properties than this is found in the rows when one of the others is asked for. */
const MAX_PROPERTIES = 1_000;
/** A property with longer values, each counted once, stays in the rows. */
const MAX_TEXT_LENGTH = 4_000_000;
/** Longer names would not fit into the index of stored columns. Such a property stays in the rows. */
const MAX_PROPERTY_NAME_LENGTH = 200;
/** A value takes about as much memory as so many characters. */
const VALUE_WEIGHT = 16;
/** A property takes about as much memory as so many characters, beside its values; so does a list of events. */
const PROPERTY_WEIGHT = 1_000;
/** `sortByPlayer` needs the low bits of a number for the index of the event, so a part has fewer events. */
const MAX_PART_EVENTS = 2 ** 20;

interface Gathered {
  /** The events that have the property, and their codes. */
  events: number[];
  codes: number[];
  /** The index in `values` plus 1, by the texts in `values` and by the JSON that PostgreSQL wrote for them. */
  code_of: Map<string, number>;
  values: string[];
  text_length: number;
}

/** An event, apart from its properties. */
export interface EventFields {
  id: number;
  /** Microseconds since 2000. */
  time: number;
  /** The number of the player plus 1; 0 for none. */
  player: number;
  session: number;
  key_id: string;
}

/** Gathers events of one name for a part. */
export function gatherEvents() {
  const [ids, times, players, sessions, keys]: number[][] = [[], [], [], [], []];
  const key_ids: string[] = [];
  const properties = new Map<string, Gathered | null>();
  const eachProperty = createPropertyReader();
  let added = 0;
  let has_more = false;
  let weight = PROPERTY_WEIGHT;

  const addProperty = (name: string, json: string) => {
    let gathered = properties.get(name);
    if (gathered === null) return;
    if (gathered === undefined) {
      if (properties.size === MAX_PROPERTIES || name.length > MAX_PROPERTY_NAME_LENGTH) {
        has_more = true;
        return;
      }
      gathered = emptyProperty();
      properties.set(copy(name), gathered);
      weight += PROPERTY_WEIGHT;
    }
    let code = gathered.code_of.get(json);
    if (code === undefined) {
      if (gathered.text_length + json.length > MAX_TEXT_LENGTH) {
        weight -= gathered.text_length + VALUE_WEIGHT * gathered.events.length;
        properties.set(name, null);
        return;
      }
      code = addValue(gathered, json);
      weight += json.length;
    }
    gathered.events.push(added);
    gathered.codes.push(code);
    weight += VALUE_WEIGHT;
  };

  return {
    /** The memory that the events take, in characters. */
    get weight() {
      return weight + VALUE_WEIGHT * 5 * ids!.length;
    },
    get count() {
      return ids!.length;
    },
    /** @param json The properties, as PostgreSQL writes `jsonb`. */
    add(event: EventFields, json: string) {
      ids!.push(event.id);
      times!.push(event.time);
      players!.push(event.player);
      sessions!.push(event.session);
      let key = key_ids.indexOf(event.key_id);
      if (key === -1) key = key_ids.push(event.key_id) - 1;
      keys!.push(key);
      if (json.length > 2) eachProperty(json, addProperty);
      added++;
    },
    /** Returns the events in the order of their players. Those of a player stay in their order. */
    finish(): PartEvents {
      const order = sortByPlayer(players!);
      const count = order.length;
      const place_of = new Uint32Array(count);
      for (let place = 0; place < count; place++) place_of[order[place]!] = place;
      const arrange = (column: readonly number[]) => {
        const arranged = new Float64Array(count);
        for (let place = 0; place < count; place++) arranged[place] = column[order[place]!]!;
        return arranged;
      };
      const values = new Map<string, () => Values>();
      const omitted: string[] = [];
      for (const [name, gathered] of properties) {
        if (gathered === null) omitted.push(name);
        else values.set(name, () => arrangeValues(gathered, place_of));
      }
      return {
        count,
        ids: arrange(ids!),
        times: arrange(times!),
        players: arrange(players!),
        sessions: arrange(sessions!),
        keys: arrange(keys!),
        key_ids,
        properties: values,
        omitted,
        has_more,
      };
    },
  };
}

export type NameEvents = ReturnType<typeof gatherEvents>;

const emptyProperty = (): Gathered => ({
  events: [],
  codes: [],
  code_of: new Map(),
  values: [],
  text_length: 0,
});

function addValue(gathered: Gathered, json: string): number {
  const { code_of, values } = gathered;
  const own = copy(json);
  const text = withoutZeros(own);
  let code = code_of.get(text);
  if (code === undefined) {
    code = values.push(text);
    code_of.set(text, code);
  }
  code_of.set(own, code);
  gathered.text_length += own.length;
  return code;
}

function sortByPlayer(players: readonly number[]): Uint32Array {
  const keys = new Float64Array(players.length);
  for (let event = 0; event < keys.length; event++) {
    keys[event] = players[event]! * MAX_PART_EVENTS + event;
  }
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < order.length; place++) order[place] = keys[place]! % MAX_PART_EVENTS;
  return order;
}

function arrangeValues({ events, codes, values }: Gathered, place_of: Uint32Array): Values {
  const arranged = new Uint32Array(place_of.length);
  for (let at = 0; at < events.length; at++) arranged[place_of[events[at]!]!] = codes[at]!;
  return { values, codes: arranged };
}
