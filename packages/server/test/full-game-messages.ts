import { waitUntil } from './wait-until.ts';
import type { TestGame } from './harness.ts';
import type { RequestOptions } from './test-request.ts';

type Answer = Promise<Record<string, string>>;

/**
 * Sends messages to the player alone and to a segment of the time of sending, in both environments. The player
 * claims them.
 * @returns the id of the message to the player in production.
 */
export async function sendMessages(
  steer: (method: string, path: string, body: unknown) => Answer,
  send: (method: string, path: string, options: RequestOptions) => Answer,
  { production_key, development_key }: TestGame,
  { player_id, tag, key, marker }: { player_id: string; tag: string; key: string; marker: string },
): Promise<string> {
  const content = {
    title: `${marker} title`,
    text: `${marker} text`,
    translations: { de: { title: `${marker} Titel` } },
    data: { text: `${marker} data` },
    rewards: [
      { type: 'item', key: `${marker} coins`, quantity: 1 },
      { type: 'achievement', key },
    ],
    reason: `${marker} reason`,
  };
  let message_id = '';
  for (const [environment, game_key] of [
    ['development', development_key],
    ['production', production_key],
  ] as const) {
    for (const to of [
      { type: 'segment', has_tags: [tag], joiners: 'excluded' },
      { type: 'player', player_id },
    ]) {
      const sent = await steer('POST', `/messages?environment=${environment}`, { to, ...content });
      message_id = sent.id!;
      const path = `/v1/messages?player_id=${encodeURIComponent(player_id)}`;
      // The members of the segment may be stored only after the answer.
      await waitUntil('the player has it', async () => {
        const { messages } = await send('GET', path, { key: game_key });
        return JSON.stringify(messages).includes(message_id);
      });
      const claim = { key: game_key, body: { player_id } };
      await send('POST', `/v1/messages/${message_id}/claim`, claim);
    }
  }
  return message_id;
}
