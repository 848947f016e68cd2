import type { Redis } from 'ioredis';

/**
 * A Redis that does not answer holds a request up this long, and its connection is given up after
 * twice that; until there is another, commands fail at once.
 */
const COMMAND_TIMEOUT_MS = 250;

/**
 * Connects in the background, and again whenever the connection is lost; null without an address,
 * and then its library takes no memory.
 */
export async function openRedis(
  url: string | null,
  onError: (error: Error) => void,
): Promise<Redis | null> {
  if (url === null) return null;
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: 2 * COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
  });
  redis.on('error', onError);
  return redis;
}
