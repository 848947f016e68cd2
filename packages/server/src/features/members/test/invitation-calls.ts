import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { findToken, waitForMail } from '../../../../test/mailbox.ts';

/** A password for new accounts. */
export const PASSWORD = 'a password of my own';

/** A server with closed registration, and functions that call its operations on invitations. */
export interface InvitationServer extends TestServer {
  /** Returns a new e-mail address. */
  makeAddress(): string;
  makeOwnedGame(): Promise<{ game_id: string; owner: TestAccount }>;
  /** Invites a person as a developer, unless `role` is given. */
  invite(game_id: string, by: TestAccount, email: string, role?: string): Promise<TestAnswer>;
  listInvitations(game_id: string, by: TestAccount): Promise<TestAnswer['body']>;
  accept(token: string, password?: string): Promise<TestAnswer>;
  preview(token: string): Promise<TestAnswer>;
  /** Waits for the `count`-th mail to an address, by default the first, and returns the token in it. */
  tokenOf(email: string, count?: number): Promise<string>;
}

export async function startInvitationServer(): Promise<InvitationServer> {
  const server = await startTestServer({
    env: { REGISTRATION: 'closed', PUBLIC_URL: 'https://games.example' },
  });
  let addresses = 0;
  return {
    ...server,
    makeAddress: () => `guest${++addresses}@studio.example`,
    async makeOwnedGame() {
      const { game_id } = await server.makeGame();
      return { game_id, owner: await server.makeAccount({ game_id }) };
    },
    invite: (game_id, by, email, role = 'developer') =>
      server.request('POST', `/v1/games/${game_id}/invitations`, {
        token: by.token,
        body: { email, role },
      }),
    async listInvitations(game_id, by) {
      const path = `/v1/games/${game_id}/invitations`;
      return (await server.request('GET', path, { token: by.token })).body;
    },
    accept: (token, password = PASSWORD) =>
      server.request('POST', '/v1/auth/accept-invitation', { body: { token, password } }),
    preview: (token) => server.request('GET', `/v1/invitations/${token}`),
    tokenOf: async (email, count = 1) =>
      findToken(await waitForMail(server.data_dir, email, count)),
  };
}

/**
 * Writes the part of an address before the `@` in capital letters. Overworld treats the result as the same
 * address.
 */
export const shout = (email: string) => email.replace(/^[^@]+/, (name) => name.toUpperCase());
