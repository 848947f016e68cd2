import type { EventSender } from './sender.ts';
import { listen, platform } from '../http/platform.ts';

/**
 * Sends events when the network returns and before the page goes away.
 * @returns Stops this.
 */
export function sendWithPage(sender: EventSender): () => void {
  const { document } = platform;
  const stops = [
    listen(platform, 'online', () => sender.retryNow()),
    listen(platform, 'pagehide', () => sender.hurry()),
    listen(document, 'visibilitychange', () => {
      if (document?.visibilityState === 'hidden') sender.hurry();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
