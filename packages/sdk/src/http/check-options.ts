import type { OverworldOptions } from '../options.ts';
import { platform } from './platform.ts';

/** @throws TypeError if the URL or the key cannot be right. */
export const checkOptions = ({ baseUrl, apiKey }: OverworldOptions): void => {
  if (!/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new TypeError(`baseUrl is no web address: ${baseUrl}`);
  }
  // A request could not carry other characters in a header.
  if (!/^[!-~]+$/.test(apiKey ?? '')) throw new TypeError('apiKey is missing or not a key');
  if (platform.document && apiKey.startsWith('ow_srv_')) {
    throw new TypeError('apiKey is a server key');
  }
};
