import type { Random } from '../random.ts';
import { BODY_MUTATIONS } from './body-mutations.ts';
import { setHeader } from './draft.ts';
import type { Draft, Mutation } from './draft.ts';
import { HOSTILE_TEXTS, makeHostileValue } from './hostile-values.ts';

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
  ['cookie', ['token=1', ';;;=', `overworld_device=${'x'.repeat(32)}`]],
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

/** Mutates a request in one way, mostly in its largest part. */
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
