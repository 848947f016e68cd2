/** A piece of text that may differ from request to request. */
export type Part =
  | string
  /** A random whole number from 1 to this. */
  | { up_to: number }
  /** The time, in ISO 8601. */
  | { now: true }
  /** Parts that repeat, separated by commas. */
  | { times: number; of: readonly Part[] };

/** A kind of request that several load generators can write, each in its own language. */
export interface RequestShape {
  method: 'GET' | 'POST' | 'PUT';
  path: readonly Part[];
  body?: readonly Part[];
  /** Each request uses one of these keys, chosen at random. */
  keys: readonly string[];
}

/** Makes parts from a template; each inserted value stays a part. */
export const text = (strings: TemplateStringsArray, ...parts: readonly Part[]): Part[] =>
  strings.flatMap((string, index) => (index === 0 ? [string] : [parts[index - 1]!, string]));

export const upTo = (up_to: number): Part => ({ up_to });
export const now: Part = { now: true };
export const repeat = (times: number, of: readonly Part[]): Part => ({ times, of });

/** Makes a request of the shape. */
export function makeRequest({ method, path, body, keys }: RequestShape) {
  return {
    method,
    path: write(path),
    headers: {
      'x-game-api-key': keys[Math.floor(Math.random() * keys.length)]!,
      'content-type': 'application/json',
    },
    ...(body ? { body: write(body) } : {}),
  };
}

const write = (parts: readonly Part[]): string => parts.map(writePart).join('');

function writePart(part: Part): string {
  if (typeof part === 'string') return part;
  if ('up_to' in part) return String(1 + Math.floor(Math.random() * part.up_to));
  if ('now' in part) return `${new Date().toISOString().slice(0, 19)}Z`;
  return Array.from({ length: part.times }, () => write(part.of)).join(',');
}

/** The script of wrk that sends requests of the shape, each connection pausing in between. */
export function writeLua({ method, path, body, keys }: RequestShape, pause_ms: number): string {
  const headers = keys.map(
    (key) => `{["x-game-api-key"]="${key}",["Content-Type"]="application/json"}`,
  );
  return `
math.randomseed(os.time() + 7)
local headers = {${headers.join(',')}}
request = function()
  return wrk.format("${method}", ${toLua(path)}, headers[math.random(#headers)], ${body ? toLua(body) : 'nil'})
end
${pause_ms > 0 ? `delay = function() return ${pause_ms} end` : ''}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end`;
}

const toLua = (parts: readonly Part[]): string => parts.map(partToLua).join(' .. ');

function partToLua(part: Part): string {
  if (typeof part === 'string') return `[==[${part}]==]`;
  if ('up_to' in part) return `math.random(${part.up_to})`;
  if ('now' in part) return 'os.date("!%Y-%m-%dT%H:%M:%SZ")';
  return `(function() local t = {} for i = 1, ${part.times} do t[i] = ${toLua(part.of)} end return table.concat(t, ",") end)()`;
}
