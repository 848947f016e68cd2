import { platform } from './http/platform.ts';

/** A function that tells the developers of a game about a mistake. */
export type Say = (text: string) => void;

/**
 * Makes a function that writes each text once to the console.
 * With a production key, the function writes nothing.
 */
export function createSay(api_key: string): Say {
  const said = new Set<string>();
  return (text) => {
    if (!isDevelopmentKey(api_key) || said.has(text)) return;
    said.add(text);
    platform.console?.warn(`[Overworld] ${text}`);
  };
}

export const isDevelopmentKey = (api_key: string) => api_key.startsWith('ow_dev_');
