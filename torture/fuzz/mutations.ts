import { gzipSync } from 'node:zlib';
import type { Random } from '../random.ts';
import { HOSTILE_TEXTS, makeHostileValue, nest, NUMBER_TEXTS } from './hostile-values.ts';

/** A request that is being made worse. */
export interface Draft {
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  query: [string, string][];
  headers: [string, string][];
  /** The body: a value to write as JSON, or the bytes themselves. */
  body: { value: unknown } | { bytes: Buffer } | null;
}

type Mutation = (draft: Draft, random: Random) => void;

/** What stands for a value of JSON in its parent, so that it can be replaced there. */
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

const bytesOf = (body: NonNullable<Draft['body']>): Buffer =>
  'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value) ?? 'null');

/** The bytes that go out. */
export const writeBody = ({ body }: Draft): Buffer | null => body && bytesOf(body);

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
    draft.body = { bytes: Buffer.from(change(bytesOf(draft.body).toString(), random)) };
  };

const onBytes =
  (change: (bytes: Buffer, random: Random) => Buffer): Mutation =>
  (draft, random) => {
    if (draft.body === null) return;
    draft.body = { bytes: change(bytesOf(draft.body), random) };
  };

const setHeader = (draft: Draft, name: string, value: string) => {
  draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
};

const insertAt = (bytes: Buffer, place: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, place), more, bytes.subarray(place)]);

const BODY_MUTATIONS: readonly Mutation[] = [
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
    holder[name] = String(holder[name]);
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
  // Duplicate keys: the whole object again, after or before itself.
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
    draft.body = { bytes: gzipSync(bytesOf(draft.body)) };
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

const ENCODINGS = [
  '%00',
  '%ff',
  '%zz',
  '%',
  '%ed%a0%80',
  '%2e%2e%2f',
  '%252e',
  '..',
  '%5c',
  ';a=b',
];

const PATH_MUTATIONS: readonly Mutation[] = [
  (draft, random) => {
    const segments = draft.path.split('/');
    const place = 1 + random.below(segments.length - 1);
    segments[place] = encodeHostile(random.pick(HOSTILE_TEXTS));
    draft.path = segments.join('/');
  },
  (draft, random) => {
    const segments = draft.path.split('/');
    segments[segments.length - 1] += random.pick(ENCODINGS);
    draft.path = segments.join('/');
  },
  (draft, random) => {
    draft.path += random.pick(['/', '//', '/..', '/../..', '/%2e%2e/', '/x', '.json', '#x']);
  },
  (draft) => {
    draft.path = `/${draft.path}`;
  },
  (draft) => {
    draft.path = draft.path.toUpperCase();
  },
  (draft) => {
    draft.path = draft.path.replaceAll('-', '');
  },
  (draft) => {
    draft.path = draft.path.replaceAll(
      /[a-z]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    );
  },
];

const encodeHostile = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 2_000));

const QUERY_MUTATIONS: readonly Mutation[] = [
  ({ query }, random) => {
    if (query.length > 0) random.pick(query)[1] = encodeHostile(random.pick(HOSTILE_TEXTS));
  },
  ({ query }, random) => {
    if (query.length > 0) random.pick(query)[1] = random.pick(ENCODINGS);
  },
  ({ query }, random) => {
    if (query.length > 0) query.push([random.pick(query)[0], 'again']);
  },
  ({ query }, random) => {
    if (query.length > 0) random.pick(query)[0] += random.pick(['[]', '[a]', '%00', '.a']);
  },
  ({ query }, random) => {
    query.splice(random.below(query.length + 1), 1);
  },
  ({ query }, random) => {
    query.push([
      encodeHostile(random.pick(HOSTILE_TEXTS)),
      encodeHostile(random.pick(HOSTILE_TEXTS)),
    ]);
  },
  ({ query }, random) => {
    if (query.length === 0) return;
    const json = JSON.stringify(makeHostileValue(random)) ?? 'null';
    random.pick(query)[1] = encodeURIComponent(json.toWellFormed().slice(0, 4_000));
  },
];

const HEADERS: readonly [string, readonly string[]][] = [
  [
    'content-type',
    [
      'text/plain',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json;;;',
      '',
      'APPLICATION/JSON',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'deflate', 'identity', 'x']],
  ['accept', ['text/html', 'text/csv', '*/*;q=x', 'application/xml']],
  ['accept-encoding', ['gzip', 'br;q=2', 'x'.repeat(500)]],
  ['if-none-match', ['*', 'W/"1"', '"', '"1", "2"', 'x'.repeat(2_000)]],
  ['if-modified-since', ['yesterday']],
  ['idempotency-key', ['', 'k', 'x'.repeat(256), '\u00ff\u00fe', '__proto__', `' OR 1=1`]],
  ['x-forwarded-for', ['', ',,,', '<script>', 'x'.repeat(3_000), '::1', '127.0.0.1', '\u00ff']],
  ['x-forwarded-host', ['evil.example']],
  ['x-forwarded-proto', ['javascript']],
  ['host', ['', 'evil.example', 'a b', '[::1', 'x'.repeat(1_000)]],
  ['origin', ['null', 'https://evil.example']],
  ['cookie', ['token=1', ';;;=']],
  ['range', ['bytes=0-1', 'bytes=9-1']],
  ['x-http-method-override', ['DELETE']],
  ['x-request-id', ['a\u00ff', '../../x']],
  ['expect', ['100-continue', 'nothing']],
  ['upgrade', ['websocket', 'h2c']],
  [
    'authorization',
    ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c', `Bearer ${'x'.repeat(9_000)}`],
  ],
  ['x-game-api-key', ['', 'ow_live_', 'x'.repeat(9_000), '\u00e9', '__proto__']],
];

const HEADER_MUTATIONS: readonly Mutation[] = [
  (draft, random) => {
    const [name, values] = random.pick(HEADERS);
    setHeader(draft, name, random.pick(values));
  },
  (draft, random) => {
    const [name, values] = random.pick(HEADERS);
    draft.headers.push([name, random.pick(values)]);
  },
  (draft, random) => {
    draft.headers.splice(random.below(draft.headers.length + 1), 1);
  },
  (draft, random) => {
    draft.method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
  },
];

/** Makes a request worse in one way, mostly where it says most. */
export function mutate(draft: Draft, random: Random): void {
  const weighted: [readonly Mutation[], number][] = [
    [BODY_MUTATIONS, draft.body === null ? 1 : 12],
    [QUERY_MUTATIONS, draft.query.length > 0 ? 6 : 1],
    [PATH_MUTATIONS, 3],
    [HEADER_MUTATIONS, 3],
  ];
  const kinds = weighted.flatMap(([mutations, weight]) =>
    Array.from({ length: weight }, () => mutations),
  );
  random.pick(random.pick(kinds))(draft, random);
}
