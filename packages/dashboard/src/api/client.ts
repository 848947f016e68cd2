import { parseExactly } from './exact-json.ts';
import { Failure, readFailure, unreachable } from './failure.ts';
import { noteProgress } from './report-progress.ts';
import type { ReportProgress } from './report-progress.ts';
import type { Answer, Input, Route } from './operations.ts';
import { session } from './session.ts';

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** A Blob is sent as it is: its text is already JSON. */
  body?: unknown;
}

/**
 * Calls an operation of the API with the token of the login.
 * @throws Failure with the server's words, or with status 0 when the server cannot be reached.
 */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Answer<R>> {
  const response = await send(route, input as Parts, signal);
  if (response.status === 204) return undefined as Answer<R>;
  return parseExactly(await response.text()) as Answer<R>;
}

/** Works like `call`, for reports that tell their progress while they are made. */
export async function callWatched<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Answer<R>> {
  const { query, ...parts } = input as Parts;
  const report = {};
  try {
    const response = await send(
      route,
      { ...parts, query: { ...query, format: 'progress' } },
      signal,
    );
    for await (const text of readLines(response)) {
      const line = parseExactly(text) as ReportLine;
      if (line.progress) noteProgress(report, line.progress);
      else if ('report' in line) return line.report as Answer<R>;
      else throw new Failure(line.status ?? 500, line.error ?? '', { ...line }, session.token);
    }
    throw unreachable();
  } catch (error) {
    // The connection was lost in the middle of the answer.
    throw error instanceof TypeError && !signal?.aborted ? unreachable() : error;
  } finally {
    noteProgress(report, null);
  }
}

interface ReportLine {
  progress?: ReportProgress;
  report?: unknown;
  status?: number;
  error?: string;
}

/** Yields the lines of an answer, each as soon as it has arrived. */
async function* readLines(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...rest] = value.split('\n');
    parts.push(first);
    for (const next of rest) {
      yield parts.splice(0).join('');
      parts.push(next);
    }
  }
}

/** Works like `call`, for operations that answer with a file. */
export async function download<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Blob> {
  const response = await send(route, input as Parts, signal);
  return response.blob();
}

/** Opens a file that may be large, for a caller that reads its body as it arrives. */
export const openDownload = <R extends Route>(route: R, input: Input<R>, signal: AbortSignal) =>
  send(route, input as Parts, signal);

async function send(route: Route, parts: Parts, signal?: AbortSignal): Promise<Response> {
  const { body } = parts;
  const [method] = route.split(' ', 1);
  const { token } = session;
  const response = await fetch(buildPath(route, parts), {
    method,
    signal,
    headers: {
      ...parts.headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable();
  });
  if (!response.ok) throw await readFailure(response, token);
  return response;
}

/** Returns the whole address of a call, as the dashboard makes it. */
export const addressOf = <R extends Route>(route: R, input: Input<R>): string =>
  location.origin + buildPath(route, input as Parts);

/** Builds the path of a route: percent-encodes its parameters, and adds the query. */
function buildPath(route: Route, { params = {}, query = {} }: Parts): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}
