import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import { AccountError } from './accounts.ts';
import type { Accounts } from './accounts.ts';

const MAX_BODY_BYTES = 2_048;
const NAME = /^[\p{L}\p{M}\p{N} ._-]{1,20}$/u;
const PIN = /^\d{4,12}$/;

/**
 * The studio's account server. `POST /accounts/sign-in` and `POST /accounts/sign-up` take
 * `name` and `pin`, and answer with `token` or with `error`. The game uses the token to
 * log in to Overworld with the provider `custom`. The error is a sentence for the player.
 * @param secret The secret that is registered for the provider `custom`.
 */
export function createAccountServer(accounts: Accounts, secret: string): RequestListener {
  const key = new TextEncoder().encode(secret);
  // Overworld accepts each token only once, so `jti` makes each token different.
  const sign = (account_id: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(account_id)
      .setExpirationTime('1m')
      .setJti(randomUUID())
      .sign(key);
  const answer = async (request: IncomingMessage) => {
    const isSignUp = request.url === '/accounts/sign-up';
    if (!isSignUp && request.url !== '/accounts/sign-in') throw new AccountError(404, 'Not found');
    if (request.method !== 'POST') throw new AccountError(405, 'Use POST.');
    // A page of another site cannot send this content type without a preflight request. This server refuses
    // preflight requests.
    if (request.headers['content-type'] !== 'application/json') {
      throw new AccountError(415, 'The body must be application/json.');
    }
    const { name, pin } = readEntry(await readBody(request));
    return { token: await sign(await accounts[isSignUp ? 'signUp' : 'signIn'](name, pin)) };
  };
  return (request, response) => {
    answer(request).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        if (error instanceof AccountError) {
          return send(response, error.status, { error: error.message });
        }
        if (request.errored) return;
        console.error(error);
        send(response, 500, { error: 'The account server has failed.' });
      },
    );
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new AccountError(413, 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readEntry(text: string): { name: string; pin: string } {
  const { name: raw_name, pin } = parseObject(text);
  const name = typeof raw_name === 'string' ? raw_name.normalize().trim() : '';
  if (!NAME.test(name)) {
    throw new AccountError(400, 'The account name must have 1 to 20 letters or digits.');
  }
  if (typeof pin !== 'string' || !PIN.test(pin)) {
    throw new AccountError(400, 'The PIN must have 4 to 12 digits.');
  }
  return { name, pin };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new AccountError(400, 'The body must be JSON.');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  // The rest of a body that is too large is not read, so the connection must close.
  if (status === 413) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
