import { randomBytes } from 'node:crypto';

/** A piece of text that may differ from request to request. */
export type Part =
  | string
  /** A random whole number from 1 to `up_to`. */
  | { up_to: number }
  /** A whole number greater than all earlier numbers, also those of earlier load generators. */
  | { rising: true }
  /** The time, in ISO 8601. */
  | { now: true }
  /** The parts in `of`, repeated and separated by commas. */
  | { times: number; of: readonly Part[] };

/** A kind of request that several load generators can write, each in its own language. */
export interface RequestShape {
  method: 'GET' | 'POST' | 'PUT';
  path: readonly Part[];
  body?: readonly Part[];
  /** Each request uses one of these keys, chosen at random. */
  keys: readonly string[];
  /** Each request carries one of these player tokens, chosen at random. */
  player_tokens?: readonly string[];
  /** True if each request has an `Idempotency-Key` of its own, in the form that the SDKs use. */
  idempotent?: boolean;
}

/** Splits a template string into parts. Each inserted `${…}` value stays a part of its own. */
export const text = (strings: TemplateStringsArray, ...parts: readonly Part[]): Part[] =>
  strings.flatMap((string, index) => (index === 0 ? [string] : [parts[index - 1]!, string]));

export const upTo = (up_to: number): Part => ({ up_to });
export const rising: Part = { rising: true };
export const now: Part = { now: true };
export const repeat = (times: number, of: readonly Part[]): Part => ({ times, of });

/** Makes a request of the shape. */
export function makeRequest(shape: RequestShape) {
  const { method, path, body, keys, player_tokens, idempotent } = shape;
  return {
    method,
    path: write(path),
    headers: {
      'x-game-api-key': pick(keys),
      'content-type': 'application/json',
      ...(player_tokens ? { 'x-player-token': pick(player_tokens) } : {}),
      ...(idempotent ? { 'idempotency-key': randomBytes(16).toString('hex') } : {}),
    },
    ...(body ? { body: write(body) } : {}),
  };
}

const pick = (texts: readonly string[]) => texts[Math.floor(Math.random() * texts.length)]!;

let last_rising = 0;

/**
 * Returns the time in microseconds, or the last returned number plus 1 if that is higher. A load generator
 * sends less than one request per microsecond, so its numbers stay below those of a generator that starts
 * later.
 */
function nextRising(): number {
  last_rising = Math.max(last_rising + 1, Date.now() * 1_000);
  return last_rising;
}

const write = (parts: readonly Part[]): string => parts.map(writePart).join('');

function writePart(part: Part): string {
  if (typeof part === 'string') return part;
  if ('up_to' in part) return String(1 + Math.floor(Math.random() * part.up_to));
  if ('rising' in part) return String(nextRising());
  if ('now' in part) return `${new Date().toISOString().slice(0, 19)}Z`;
  return Array.from({ length: part.times }, () => write(part.of)).join(',');
}

/**
 * Writes the script with which wrk sends requests of the shape. Each connection pauses between its requests,
 * for a random time of at most twice `pause_ms`, so that the connections do not all send at once.
 */
export function writeLua(shape: RequestShape, pause_ms: number): string {
  const { method, path, body, keys, player_tokens = [], idempotent } = shape;
  const tokens = player_tokens.map((token) => `"${token}"`);
  const headers = keys.map(
    (key) => `{["x-game-api-key"]="${key}",["Content-Type"]="application/json"}`,
  );
  return `
math.randomseed(${randomBytes(4).readUInt32LE()})
local headers = {${headers.join(',')}}
local tokens = {${tokens.join(',')}}
local rising = ${nextRising()}
local function next_rising() rising = rising + 1 return string.format("%.0f", rising) end
request = function()
  local own = headers[math.random(#headers)]
  ${idempotent ? RANDOM_KEY : ''}
  ${tokens.length > 0 ? RANDOM_TOKEN : ''}
  return wrk.format("${method}", ${toLua(path)}, own, ${body ? toLua(body) : 'nil'})
end
${pause_ms > 0 ? `delay = function() return math.random(0, ${2 * pause_ms}) end` : ''}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end`;
}

const RANDOM_KEY = `own["Idempotency-Key"] = string.format(("%04x"):rep(8), ${Array(8).fill('math.random(0, 65535)').join(', ')})`;

const RANDOM_TOKEN = 'own["x-player-token"] = tokens[math.random(#tokens)]';

const toLua = (parts: readonly Part[]): string => parts.map(partToLua).join(' .. ');

function partToLua(part: Part): string {
  if (typeof part === 'string') return `[==[${part}]==]`;
  if ('up_to' in part) return `math.random(${part.up_to})`;
  if ('rising' in part) return 'next_rising()';
  if ('now' in part) return 'os.date("!%Y-%m-%dT%H:%M:%SZ")';
  return `(function() local t = {} for i = 1, ${part.times} do t[i] = ${toLua(part.of)} end return table.concat(t, ",") end)()`;
}
