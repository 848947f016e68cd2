import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

export interface TestDocument {
  kind: string;
  key: string;
  definition: Record<string, unknown>;
}

/** Makes a game with a developer, and the calls by which its definitions are read and changed. */
export async function makeFilesStudio(server: TestServer) {
  const game = await server.makeGame();
  const { game_id } = game;
  const account = await server.makeAccount({ game_id, role: 'developer' });
  const { token } = account;
  const path = `/v1/games/${game_id}/definitions`;
  const send = (what: 'plan' | 'apply', body: unknown, by = token): Promise<TestAnswer> =>
    server.request('POST', `${path}/${what}`, { token: by, body });
  const plan = (definitions: unknown, more = {}) => send('plan', { definitions, ...more });
  const apply = (definitions: unknown, more: object) => send('apply', { definitions, ...more });
  return {
    ...game,
    ...account,
    send,
    plan,
    apply,
    read: async () => (await server.request('GET', path, { token })).body,
    /** Sends another request of the same developer, below the path of the game. */
    call: (method: string, at: string, body?: unknown) =>
      server.request(method, `/v1/games/${game_id}${at}`, { token, body }),
    async planAndApply(definitions: unknown, more = {}): Promise<TestAnswer> {
      const { body } = await plan(definitions, more);
      return apply(definitions, { plan: body.plan, ...more });
    },
  };
}

export type FilesStudio = Awaited<ReturnType<typeof makeFilesStudio>>;
