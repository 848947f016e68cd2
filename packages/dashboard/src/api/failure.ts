/** A call that failed, with the server's own words where it sent any. */
export class Failure extends Error {
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The token of the session that made the call. */
  readonly token: string | null;

  constructor(
    status: number,
    message: string,
    body: Record<string, unknown> = {},
    token: string | null = null,
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.body = body;
    this.token = token;
  }

  /** The server's code of the error, such as `ACCOUNT_LOCKED`. */
  get code(): string | null {
    return typeof this.body.code === 'string' ? this.body.code : null;
  }

  /** True if the server is away, overloaded or broken, so the request itself may be good. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

export const unreachable = () => new Failure(0, 'Overworld cannot be reached');

/** Reads an answer that is an error. */
export async function readFailure(response: Response, token: string | null): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) {
    return new Failure(response.status, `The server answered ${response.status}`, {}, token);
  }
  const { error, message } = body as { error?: unknown; message?: unknown };
  const words = response.status === 429 && message ? message : error;
  return new Failure(response.status, String(words ?? response.status), { ...body }, token);
}

/** Returns the message of any error. */
export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns the message of any error, as a sentence for people. */
export const wordsOf = (error: unknown): string => sentence(textOf(error));

/** Makes a sentence of the server's words: `time_zone is not valid` becomes `Time zone is not valid`. */
export function sentence(words: string): string {
  const [first = '', ...rest] = words.split(' ');
  const name = /^[a-z_]+$/.test(first) ? first.replaceAll('_', ' ') : first;
  const text = [name, ...rest].join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
