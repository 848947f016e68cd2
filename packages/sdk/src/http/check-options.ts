import type { OverworldOptions } from '../options.ts';
import { platform } from './platform.ts';

/** @throws TypeError if the address or the key cannot be right. */
export function checkOptions({ baseUrl, apiKey }: OverworldOptions): void {
  if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) {
    throw new TypeError(
      `baseUrl must be the address of the server, such as https://play.example.com, and is ${JSON.stringify(baseUrl)}`,
    );
  }
  if (!apiKey) throw new TypeError('apiKey is missing: the dashboard makes one, under API keys');
  if (platform.document && apiKey.startsWith('ow_srv_')) {
    throw new TypeError(
      'apiKey is a server key: players could read it, so it must not be in a game',
    );
  }
}
