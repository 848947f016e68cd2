import { hash, timingSafeEqual } from 'node:crypto';
import { describeApi } from '@overworld/contract/openapi';
import { getHealth, getMetrics, getOpenApi, getReadiness } from '@overworld/contract/system';
import { ApiError, tooManyRequests, unavailable } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Drain } from '../../platform/http/drain.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { networkOf } from '../../platform/network/network-address.ts';
import { RELEASE } from '../../platform/release.ts';
import { isBehindProxy, isLocalRequest } from './local-request.ts';
import { createReadiness } from './readiness.ts';

/**
 * The number of times that a network may load the description of the
 * API in one window of time. Each answer takes 0.5 ms and has 400 KB.
 */
const MAX_DESCRIPTIONS = 20;
const DESCRIPTION_WINDOW_MS = 10_000;

export function mountSystem(api: Api, drain: Drain): void {
  const { database, metrics, config } = api;
  const isOpenLocally = !isBehindProxy(config);
  const askDatabase = createReadiness(database);

  implement(api, getHealth, async () => ({ status: 'ok' as const }));

  implement(api, getReadiness, async () => {
    if (drain.begun) throw unavailable('The server is shutting down');
    await askDatabase();
    return { status: 'ready' as const };
  });

  implement(api, getMetrics, async ({ ip, headers }) => {
    const mayRead =
      (isOpenLocally && isLocalRequest(ip, headers)) ||
      isToken(headers.authorization, config.metrics_token);
    if (!mayRead) throw new ApiError(401, 'Invalid metrics token');
    return metrics.read();
  });

  implement(api, getOpenApi, async ({ ip }) => {
    const window = api.workerPool.windows.add(
      `descriptions ${networkOf(ip)}`,
      1,
      DESCRIPTION_WINDOW_MS,
    );
    if (window.count <= MAX_DESCRIPTIONS) return describeOnce();
    const message = `At most ${MAX_DESCRIPTIONS} descriptions an address in ten seconds`;
    throw tooManyRequests(message, { 'retry-after': String(DESCRIPTION_WINDOW_MS / 1_000) });
  });
}

let description: JsonText | undefined;

/**
 * Returns the description of the API. The first call makes it, because
 * making it at the start of the server would delay the start by 15 ms.
 */
function describeOnce(): JsonText {
  if (description === undefined) {
    const text = JSON.stringify(describeApi(RELEASE));
    description = new JsonText(text, Buffer.from(text));
  }
  return description;
}

function isToken(authorization: string | undefined, token: string | null): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (given === undefined || token === null) return false;
  // Hashes have the same length, so the time of the comparison tells nothing about the token.
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
