import { CommandError } from '../command.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';

export interface Remote {
  game_id: string;
  url: string;
  get: (path: string) => Promise<unknown>;
  /** @param onProgress Called while the server works, if the path asks for the format `progress`. */
  post: (
    path: string,
    body: unknown,
    onProgress?: (progress: RemoteProgress) => void,
  ) => Promise<unknown>;
}

/** The progress of work on the server. */
export interface RemoteProgress {
  state: 'waiting' | 'reading';
  /** The part that is done, 0 to 1. */
  share: number;
}

/** A mistake in a definition, as the server names it. */
export interface Problem {
  index?: number;
  kind: string;
  key: string;
  error: string;
}

/** The server has refused a call; `problems` are the definitions that are to blame, if it names any. */
export class Refused extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];

  constructor(status: number, error: string, problems: readonly Problem[]) {
    super(error);
    this.status = status;
    this.problems = problems;
  }
}

/** The header that only an Overworld server sends. */
const MARK = 'overworld-server';
/** The maximum time for an answer. */
const TIMEOUT_MS = 120_000;

/** Opens the game of a server. The token comes from the environment, so that no list of processes shows it. */
export function openRemote(
  url: string | undefined,
  game: string | undefined,
  token: string,
): Remote {
  if (url === undefined || !URL.canParse(url)) {
    throw new CommandError('Name the server by --server=https://… or OVERWORLD_URL.');
  }
  if (game === undefined) throw new CommandError('Name the game by --game=<id> or OVERWORLD_GAME.');
  if (token === '') throw new CommandError('Put an access token into OVERWORLD_TOKEN.');
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    onProgress: (progress: RemoteProgress) => void = () => undefined,
  ): Promise<unknown> => {
    const address = new URL(`/v1/games/${encodeURIComponent(game)}${path}`, url);
    let answer: Response;
    let last: LastAnswer;
    try {
      answer = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: writeExactly(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      last = await readAnswer(answer, onProgress);
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw new CommandError(`${address.origin} does not answer: ${reason}.`);
    }
    if (!answer.headers.has(MARK)) {
      throw new CommandError(`${address.origin} is no Overworld server.`);
    }
    if (last.status < 400) return last.body;
    const { error = `status ${last.status}`, problems = [] } = last.body as Refusal;
    throw new Refused(last.status, error, problems);
  };
  return {
    game_id: game,
    url: new URL(url).origin,
    get: (path) => call('GET', path),
    post: (path, body, onProgress) => call('POST', path, body, onProgress),
  };
}

interface Refusal {
  error?: string;
  problems?: Problem[];
}

interface LastAnswer {
  status: number;
  body: unknown;
}

/** Reads an answer, which may be lines with the progress and at last the answer itself. */
async function readAnswer(
  answer: Response,
  onProgress: (progress: RemoteProgress) => void,
): Promise<LastAnswer> {
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-ndjson') || answer.body === null) {
    const text = await answer.text();
    return { status: answer.status, body: answer.headers.has(MARK) ? parseExactly(text) : null };
  }
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) {
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n');
    pieces.push(first);
    for (const piece of rest) {
      const line = pieces.splice(0).join('');
      pieces.push(piece);
      const read = parseExactly(line) as Line;
      if ('progress' in read) onProgress(read.progress);
      else if ('report' in read) return { status: answer.status, body: read.report };
      else return { status: read.status, body: read };
    }
  }
  throw new Error('the answer is not complete');
}

type Line = { progress: RemoteProgress } | { report: unknown } | ({ status: number } & Refusal);
