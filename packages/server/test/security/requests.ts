import { request as sendRaw } from 'node:http';
import { maxBodyBytes } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { logInPlayer } from '@overworld/contract/players/logins';
import type { FullGame } from '../full-game.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions } from '../test-request.ts';
import { sampleBody, samplePath } from '../sample-request.ts';

/**
 * Makes the options of a request with an API key, and with a token of a player if the operation needs one.
 */
export async function asPlayer(
  server: TestServer,
  { headers, body, path }: Operation,
  key: string,
): Promise<RequestOptions> {
  const needs = (schema: object | undefined, name: string) =>
    Object.hasOwn((schema as { properties?: object } | undefined)?.properties ?? {}, name);
  const sent = ['refresh_token', 'player_token'].find((name) => needs(body, name));
  if (!sent && !needs(headers, 'x-player-token')) return { key };
  // The token must be of the player whom `samplePath` names.
  const named = path.includes('{player_id}')
    ? { device_id: 'device of nobody', player_id: 'nobody' }
    : {};
  const login = await server.request('POST', '/v1/players/login', {
    key,
    body: { ...sampleBody(logInPlayer), ...named },
  });
  return sent
    ? { key, body: { [sent]: login.body[sent] } }
    : { key, headers: { 'x-player-token': login.body.player_token } };
}

/**
 * Makes the options of a request with invalid input from a permitted caller; null if the operation takes no
 * input.
 */
export function breakRequest(
  operation: Operation,
): { options: RequestOptions; query: string } | null {
  if (operation.body) return { options: { body: '{' }, query: '' };
  if (operation.query && 'limit' in operation.query.properties) {
    return { options: {}, query: 'limit=abc' };
  }
  return null;
}

/**
 * Sends only the headers of a request, with a Content-Length over the limit.
 * @returns the status of the answer.
 */
export function announceTooMuch(
  server: TestServer,
  operation: Operation,
  params: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<number> {
  const length = maxBodyBytes(operation) + 1;
  return new Promise((resolve, reject) => {
    const request = sendRaw(server.url + samplePath(operation, params), {
      method: operation.method,
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode!);
      request.destroy();
    });
    request.flushHeaders();
  });
}

/**
 * Makes a draft of an experiment that changes one parameter of the game's config.
 * @returns the path parameters that identify the experiment.
 */
export async function draftExperiment(
  server: TestServer,
  { game_id, owner, params }: FullGame,
  parameter: 'speed' | 'size',
): Promise<Record<string, string>> {
  const variants = [
    { name: 'A', weight: 1 },
    { name: 'B', weight: 1, values: { [parameter]: 2 } },
  ];
  const metrics = [{ kind: 'retention', days: 1 }];
  const created = await server.request('POST', `/v1/games/${game_id}/experiments`, {
    token: owner.token,
    body: { name: parameter, share: 1, variants, metrics },
  });
  return { ...params, experiment_id: created.body.id };
}
