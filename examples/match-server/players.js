import { Overworld } from '@overworld/sdk';

const { OVERWORLD_URL = 'http://127.0.0.1:8080', OVERWORLD_KEY, PORT = '3000' } = process.env;

/** Joins a match as a new anonymous player. */
async function join() {
  const overworld = new Overworld({ baseUrl: OVERWORLD_URL, apiKey: OVERWORLD_KEY, store: null });
  const token = await overworld.account.getPlayerToken();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', headers });
  await overworld.close();
  return answer.json();
}

const [match] = await Promise.all([join(), join()]);
for (const { player_id, score, rank } of match) {
  console.log(`${player_id} rolled ${score}: rank ${rank}`);
}
