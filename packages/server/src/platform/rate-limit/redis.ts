import type { Redis } from 'ioredis';

/**
 * The longest time that a request waits for Redis. A connection that does not answer is
 * closed after twice this time. Until the next connection is open, commands fail immediately.
 */
const COMMAND_TIMEOUT_MS = 250;

/**
 * Connects to Redis in the background, and reconnects whenever the connection is lost. Without a URL it
 * returns null and does not load the library.
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
