import { ApiError, unavailable } from '../errors.ts';
import { fetchText } from '../network/fetch-text.ts';
import type { FetchedText, SentParts } from '../network/fetch-text.ts';

/** The maximum time that a login waits for all its requests to its provider together. */
const MAX_WAIT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/**
 * The maximum numbers of logins that wait at the same time in one event loop:
 * for all providers together, and for one provider of an owner.
 */
const MAX_WAITING = 200;
const MAX_WAITING_OF_PROVIDER = 50;
/** The time after a failure in which the provider is not called. */
const FAILED_MS = 2_000;
/** The most providers whose last failure is remembered. */
const MAX_KNOWN_FAILURES = 1_000;

export type ProviderFetch = (url: URL, parts?: SentParts) => Promise<FetchedText>;

/** @param allow_private True if providers may be in a private network. */
export function createProviderCalls(allow_private: boolean) {
  /** The numbers of waiting logins: of each owner, and of each provider of an owner. */
  const waiting = new Map<string, number>();
  const failed_until_ms = new Map<string, number>();
  let all_waiting = 0;

  const noteFailure = (name: string) => {
    if (failed_until_ms.size >= MAX_KNOWN_FAILURES) {
      failed_until_ms.delete(failed_until_ms.keys().next().value!);
    }
    failed_until_ms.set(name, performance.now() + FAILED_MS);
  };

  const countWaiting = (name: string, change: 1 | -1) => {
    const count = (waiting.get(name) ?? 0) + change;
    if (count > 0) waiting.set(name, count);
    else waiting.delete(name);
  };

  return {
    /**
     * Runs a check that may call a provider.
     * @param owner The game whose players log in, or another name without spaces.
     * @param provider The name of the provider. All checks of the same provider and owner share their limits
     * and failures, so the name of a game's provider begins with the environment.
     * @param check Gets a function that fetches from the provider, within 5 seconds for all its requests
     * together.
     * @throws ApiError 503 when the provider gives no usable answer, or too many logins wait for it; or the
     * ApiError of `check`.
     */
    async run<T>(owner: string, provider: string, check: (fetch: ProviderFetch) => Promise<T>) {
      const name = `${owner} ${provider}`;
      const free = MAX_WAITING - all_waiting;
      const of_provider = waiting.get(name) ?? 0;
      if ((waiting.get(owner) ?? 0) >= free || of_provider >= MAX_WAITING_OF_PROVIDER) {
        throw unavailable('Too many logins wait for this login provider, try again in a second');
      }
      if ((failed_until_ms.get(name) ?? 0) > performance.now()) throw providerAway();
      countWaiting(owner, 1);
      countWaiting(name, 1);
      all_waiting += 1;
      const signal = AbortSignal.timeout(MAX_WAIT_MS);
      try {
        return await check((url, parts) =>
          fetchText(url, { max_bytes: MAX_ANSWER_BYTES, signal, allow_private, parts }),
        );
      } catch (error) {
        if (error instanceof ApiError) throw error;
        noteFailure(name);
        throw providerAway(error);
      } finally {
        all_waiting -= 1;
        countWaiting(owner, -1);
        countWaiting(name, -1);
      }
    },
  };
}

/**
 * Requests to providers, limited so that a slow provider takes little of the server. A login is refused if
 * as many logins of its owner wait as there are free places, so a game cannot take all places. A failure
 * counts only for its owner, because a game can cause failures, for example with a wrong Web API key.
 */
export type ProviderCalls = ReturnType<typeof createProviderCalls>;

const providerAway = (cause?: unknown) =>
  unavailable('The login provider cannot be reached, try again later', cause, 5);
