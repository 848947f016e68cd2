import { CommandError } from '../command.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';

export interface Remote {
  game_id: string;
  url: string;
  get: (path: string) => Promise<unknown>;
  post: (path: string, body: unknown) => Promise<unknown>;
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
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const address = new URL(`/v1/games/${encodeURIComponent(game)}${path}`, url);
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: writeExactly(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await answer.text();
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw new CommandError(`${address.origin} does not answer: ${reason}.`);
    }
    if (!answer.headers.has('overworld-server')) {
      throw new CommandError(`${address.origin} is no Overworld server.`);
    }
    const read = parseExactly(text) as { error?: string; problems?: Problem[] };
    if (answer.ok) return read;
    throw new Refused(answer.status, read.error ?? `status ${answer.status}`, read.problems ?? []);
  };
  return {
    game_id: game,
    url: new URL(url).origin,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}
