import { AUDIENCE, startIssuer } from './issuer.ts';
import type { TestIssuer } from './issuer.ts';
import { makeLoginGame } from './login-game.ts';
import type { LoginGame } from './login-game.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

/** A game with the login provider `studio-id`, and the issuer of the provider's tokens. */
export interface IssuerGame {
  game: LoginGame;
  issuer: TestIssuer;
  /** Registers the provider again, with other settings. */
  register(body?: object): Promise<unknown>;
  logIn(id_token: string, more?: object): Promise<TestAnswer>;
}

/** @param server A server that allows issuers on private addresses. */
export async function makeIssuerGame(server: TestServer): Promise<IssuerGame> {
  const issuer = await startIssuer();
  const game = await makeLoginGame(server);
  const provider = { issuer: issuer.url, audiences: ['other', AUDIENCE] };
  const register = (body: object = {}) => game.register('studio-id', { ...provider, ...body });
  await register();
  return {
    game,
    issuer,
    register,
    logIn: (id_token, more = {}) => game.logIn({ provider: 'studio-id', id_token, ...more }),
  };
}
