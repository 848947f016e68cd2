import type { Tokens } from '../../platform/auth/tokens.ts';
import { RELEASE } from '../../platform/release.ts';

/** What registering and logging in answer. */
export interface Session {
  /** JWT of the account. */
  token: string;
  user: { id: string; email: string };
  backendVersion: string;
}

export async function openSession(
  tokens: Tokens,
  account: { id: string; email: string; token_generation: number },
): Promise<Session> {
  const { id, email, token_generation } = account;
  return {
    token: await tokens.sign({ account_id: id, generation: token_generation }),
    user: { id, email },
    backendVersion: RELEASE,
  };
}
