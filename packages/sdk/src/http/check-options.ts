import type { OverworldOptions } from '../options.ts';
import { platform } from './platform.ts';

/** @throws TypeError if the address or the key cannot be right. */
export function checkOptions({ baseUrl, apiKey }: OverworldOptions): void {
  if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) {
    throw new TypeError(`baseUrl must be an address like https://play.example.com, not ${baseUrl}`);
  }
  if (!apiKey) throw new TypeError('apiKey is missing');
  if (platform.document && apiKey.startsWith('ow_srv_')) {
    throw new TypeError('A server key must not be in a game');
  }
}
