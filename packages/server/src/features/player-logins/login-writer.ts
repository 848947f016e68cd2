import { createGroupBatcher, groupRequests } from '../../platform/batch/batcher.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { retryDeadlocks, retryExpected } from '../../platform/database/retry-deadlocks.ts';
import { conflict } from '../../platform/errors.ts';
import { nameOfIdentity } from './identity.ts';
import { insertIdentities, PlayerChanged } from './identity-store.ts';
import { logInKnown } from './login-store.ts';
import type { KnownLogin, LoginRequest } from './login-store.ts';

/** A login; `created` is true if the login made or claimed its player. */
type WrittenLogin = KnownLogin & { created: boolean };

export function createLoginWriter(hot: GroupedDatabase) {
  const options = {
    max_queue_length: 20_000,
    gameOf: ({ tenant }: LoginRequest) => tenant.game_id,
  };
  const known = createGroupBatcher<LoginRequest, KnownLogin | null>(hot, {
    ...options,
    name: 'player_logins',
    max_batch_size: 200,
    flush: logInKnown,
  });
  const made = createGroupBatcher<LoginRequest, WrittenLogin | null>(hot, {
    ...options,
    name: 'new_player_logins',
    max_batch_size: 100,
    flush: (group, requests) =>
      retryDeadlocks(() => retryChanged(() => group.transaction((tx) => write(tx, requests)))),
  });
  return {
    /** Logs a known identity in. @returns null when no player has the identity. */
    logIn: (request: LoginRequest): Promise<KnownLogin | null> => known.submit(request),
    /**
     * Stores a new identity and logs it in.
     * @returns null when the token of the provider was used before.
     * @throws ApiError 409 when the wanted player has another identity, or was merged into another player.
     */
    makeAndLogIn: (request: LoginRequest): Promise<WrittenLogin | null> => made.submit(request),
    /** Refuses new requests and resolves when all accepted ones are answered. */
    async close() {
      await Promise.all([known.close(), made.close()]);
    },
  };
}

/** Writes logins, and answers each request after its commit. */
export type LoginWriter = ReturnType<typeof createLoginWriter>;

async function write(
  tx: Queryable,
  requests: readonly LoginRequest[],
): Promise<(WrittenLogin | null | Error)[]> {
  const identities = groupRequests(requests, ({ tenant, proof }) => nameOfIdentity(tenant, proof));
  const outcomes = await insertIdentities(
    tx,
    identities.map((same) => same.requests[0]!),
  );
  const logins = await logInKnown(tx, requests);
  const results: (WrittenLogin | null | Error)[] = [];
  identities.forEach(({ places }, index) => {
    places.forEach((place, turn) => {
      const login = logins[place]!;
      const created = outcomes[index] === 'made' && turn === 0;
      if (outcomes[index] === 'claimed') results[place] = playerIsClaimed();
      else if (outcomes[index] === 'merged') results[place] = playerIsMerged();
      else results[place] = login && { ...login, created };
    });
  });
  return results;
}

/** Repeats a transaction if its player was erased or merged meanwhile. */
const retryChanged = <Result>(run: () => Promise<Result>): Promise<Result> =>
  retryExpected(run, (error) => error instanceof PlayerChanged);

const playerIsClaimed = () =>
  conflict(
    'This player belongs to somebody who has logged in: leave player_id out to get a new player, or log in as before and link this login',
  );

const playerIsMerged = () =>
  conflict(
    'This player was merged into another one: leave player_id out to get a new player, or log in as the player who stays',
  );
