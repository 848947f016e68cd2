import { gzipSync } from 'node:zlib';
import type { Random } from '../random.ts';
import { setHeader, writeBody } from './draft.ts';
import type { Mutation } from './draft.ts';
import { HOSTILE_TEXTS, makeHostileValue, nest, NUMBER_TEXTS } from './hostile-values.ts';

/** The place of a JSON value in its parent, so that the value can be replaced. */
interface Place {
  holder: Record<string, unknown>;
  name: string;
}

function listPlaces(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const name of Object.keys(value).slice(0, 200)) {
    const holder = value as Record<string, unknown>;
    places.push({ holder, name });
    listPlaces(holder[name], places);
  }
  return places;
}

const define = (holder: object, name: string, value: unknown) =>
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });

const onValue =
  (change: (place: Place, random: Random, body: { value: unknown }) => void): Mutation =>
  ({ body }, random) => {
    if (body === null || !('value' in body)) return;
    const places = listPlaces(body.value);
    if (places.length === 0) body.value = makeHostileValue(random);
    else change(random.pick(places), random, body);
  };

const onText =
  (change: (text: string, random: Random) => string): Mutation =>
  (draft, random) => {
    if (draft.body === null) return;
    draft.body = { bytes: Buffer.from(change(writeBody(draft)!.toString(), random)) };
  };

const onBytes =
  (change: (bytes: Buffer, random: Random) => Buffer): Mutation =>
  (draft, random) => {
    if (draft.body === null) return;
    draft.body = { bytes: change(writeBody(draft)!, random) };
  };

const insertAt = (bytes: Buffer, place: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, place), more, bytes.subarray(place)]);

export const BODY_MUTATIONS: readonly Mutation[] = [
  onValue(({ holder, name }, random) => {
    holder[name] = makeHostileValue(random);
  }),
  onValue(({ holder, name }, random) => {
    holder[name] = makeHostileValue(random);
  }),
  onValue(({ holder, name }) => {
    delete holder[name];
  }),
  onValue(({ holder, name }) => {
    holder[name] = null;
  }),
  onValue(({ holder, name }) => {
    holder[name] = [holder[name]];
  }),
  onValue(({ holder, name }) => {
    holder[name] = { [name]: holder[name] };
  }),
  onValue(({ holder, name }) => {
    const value = holder[name];
    // An object may have a member `toString` that is no function.
    holder[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }),
  onValue(({ holder, name }, random) => {
    holder[name] = nest(random.pick([30, 64, 300, 2_000]), holder[name]);
  }),
  onValue(({ holder }, random) => {
    define(holder, random.pick(HOSTILE_TEXTS), makeHostileValue(random));
  }),
  onValue(({ holder, name }, random) => {
    define(holder, random.pick(HOSTILE_TEXTS), holder[name]);
    delete holder[name];
  }),
  onValue((_place, random, body) => {
    body.value = Array.from({ length: random.pick([0, 1, 2, 100, 101, 300]) }, () => body.value);
  }),
  onValue((_place, random, body) => {
    body.value = makeHostileValue(random);
  }),
  // Duplicate keys: the whole object twice.
  onText((text, random) => {
    const inner = text.slice(1, -1);
    const other = inner.replaceAll(/:("[^"]*"|[\d.]+)/g, () =>
      random.next() < 0.5 ? ':null' : ':"again"',
    );
    return random.next() < 0.5 ? `{${inner},${other}}` : `{${other},${inner}}`;
  }),
  onText((text, random) => text.replace(/-?\d+(\.\d+)?/, random.pick(NUMBER_TEXTS))),
  onText((text) =>
    text.replaceAll(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  ),
  onText((text, random) =>
    text.replace(/"(?=[^"]*"[,}\]])/, `"${random.pick(['\\ud800', '\\u0000', '\\x', '\\', '\t'])}`),
  ),
  onText((text, random) => text + random.pick([',', '}', ']', 'x', '{}', '\u0000', '//c', ' '])),
  onText((text, random) => ' '.repeat(random.pick([1, 1_000, 120_000])) + text),
  onText((text) => text.replaceAll('"', "'")),
  onBytes((bytes, random) => bytes.subarray(0, random.below(bytes.length + 1))),
  onBytes((bytes, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
    return copy;
  }),
  onBytes((bytes, random) =>
    insertAt(
      bytes,
      random.below(bytes.length + 1),
      Buffer.from(random.pick([[0], [0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5]])),
    ),
  ),
  onBytes((bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  onBytes((bytes) => Buffer.from(bytes.toString(), 'utf16le')),
  onBytes((bytes) => Buffer.from(bytes.toString(), 'latin1')),
  onBytes((bytes) => Buffer.concat([bytes, bytes])),
  onBytes(() => Buffer.alloc(0)),
  (draft) => {
    if (draft.body === null) return;
    draft.body = { bytes: gzipSync(writeBody(draft)!) };
    setHeader(draft, 'content-encoding', 'gzip');
  },
  (draft, random) => {
    draft.body = { value: makeHostileValue(random) };
    setHeader(draft, 'content-type', 'application/json');
  },
  (draft) => {
    draft.body = null;
  },
];
