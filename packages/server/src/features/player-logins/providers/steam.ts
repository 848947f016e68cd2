import { ApiError, badRequest } from '../../../platform/errors.ts';
import type { ProviderCalls } from '../../../platform/login-providers/provider-calls.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { hashSecret } from '../identity.ts';
import type { Proof } from '../identity.ts';
import type { LoginProvider } from './provider-store.ts';

/** The milliseconds for which a used ticket is remembered. Steam does not say how long a ticket is valid. */
const TICKET_REMEMBERED_MS = 7 * 86_400_000;

/**
 * The HTTP statuses with which Steam refuses a request because its ticket is
 * malformed or too long. They do not count as failures of Steam. If they did, any
 * client could make this server treat Steam as down for all players of the game.
 */
const OF_TICKET: ReadonlySet<number> = new Set([400, 413, 414, 431]);

/** The parts of Steam's answer that the server uses. */
interface SteamAnswer {
  response?: {
    params?: { result?: unknown; steamid?: unknown; publisherbanned?: unknown };
    error?: unknown;
  };
}

/**
 * Checks a ticket with Steam's Web API (ISteamUserAuth/AuthenticateUserTicket).
 * @param calls Sends requests to `api_url`, which the operator of the installation has set.
 * @throws ApiError 400 for a ticket of a wrong form, 401 for one that Steam refuses, 403 for an account
 * that the publisher has banned, or 503 when Steam gives no usable answer.
 */
export async function proveSteam(
  calls: ProviderCalls,
  api_url: string,
  { game_id, environment }: Tenant,
  { app_id, identity, secret }: LoginProvider,
  ticket: string,
): Promise<Proof> {
  if (!/^([0-9a-f]{2})+$/i.test(ticket)) throw badRequest('ticket must be hexadecimal digits');
  if (secret === null) {
    throw new ApiError(503, 'The Web API key of Steam cannot be read: register it again');
  }
  const url = new URL(`${api_url}/ISteamUserAuth/AuthenticateUserTicket/v1/`);
  url.searchParams.set('key', secret);
  url.searchParams.set('appid', app_id!);
  url.searchParams.set('ticket', ticket);
  if (identity !== null) url.searchParams.set('identity', identity);
  return calls.run(game_id, `${environment} ${app_id}`, async (fetch) => {
    const { status, text } = await fetch(url);
    if (OF_TICKET.has(status)) throw invalidTicket();
    if (status !== 200) throw new Error(`Steam answered ${status}`);
    const { params, error } = (JSON.parse(text) as SteamAnswer).response!;
    if (error !== undefined && params === undefined) throw invalidTicket();
    const { result, steamid, publisherbanned } = params!;
    if (result !== 'OK' || typeof steamid !== 'string' || !/^\d{1,20}$/.test(steamid)) {
      throw new Error('Steam gave an answer of another form');
    }
    if (publisherbanned === true) {
      throw new ApiError(403, 'This Steam account is banned from the game');
    }
    return {
      provider: 'steam',
      issuer: '',
      subject: steamid,
      secret_hash: null,
      token_hash: hashSecret(ticket.toLowerCase()),
      token_expires_ms: Date.now() + TICKET_REMEMBERED_MS,
      vouched_player_id: null,
    };
  });
}

const invalidTicket = () => new ApiError(401, 'Invalid Steam ticket');
