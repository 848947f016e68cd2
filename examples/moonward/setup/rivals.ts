import { ALL_TIME_BOARD, DAILY_BOARD } from '../src/online/boards.ts';
import type { GameAccess } from './set-up-game.ts';

/** Invented rivals, so that a player has opponents from the first night on. */
const RIVALS = [
  { name: 'Death’s-head', best: 12_450, tonight: 9_120 },
  { name: 'Oleander Hawk', best: 9_870, tonight: 4_310 },
  { name: 'Old Lady', best: 7_240, tonight: 7_105 },
  { name: 'Merveille du Jour', best: 6_015, tonight: 1_330 },
  { name: 'Setaceous Hebrew', best: 4_480, tonight: 2_960 },
  { name: 'Elephant Hawk', best: 3_390, tonight: 3_390 },
  { name: 'Scarlet Tiger', best: 2_610, tonight: 640 },
  { name: 'December Moth', best: 1_850, tonight: 1_850 },
  { name: 'Feathered Thorn', best: 1_120, tonight: 935 },
  { name: 'Small Magpie', best: 640, tonight: 290 },
  { name: 'Clothes Moth', best: 215, tonight: 120 },
];

/** Submits the scores of the rivals as the game would. A second call changes nothing. */
export async function submitRivals(server_url: string, { api_key }: GameAccess): Promise<void> {
  for (const [index, { name, best, tonight }] of RIVALS.entries()) {
    for (const [board_name, score] of [
      [ALL_TIME_BOARD, best],
      [DAILY_BOARD, tonight],
    ]) {
      const player_id = `rival-${index + 1}`;
      const answer = await fetch(`${server_url}/v1/leaderboards`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-game-api-key': api_key },
        body: JSON.stringify({ board_name, player_id, player_name: name, score }),
      });
      if (!answer.ok) throw new Error(`Submitting a rival's score: ${await answer.text()}`);
    }
  }
}
