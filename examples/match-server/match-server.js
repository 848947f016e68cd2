import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { OverworldError, OverworldServer } from '@overworld/sdk/server';

const {
  OVERWORLD_URL = 'http://127.0.0.1:8080',
  OVERWORLD_SERVER_KEY,
  PORT = '3000',
} = process.env;
const overworld = new OverworldServer({ baseUrl: OVERWORLD_URL, apiKey: OVERWORLD_SERVER_KEY });

/** The client who waits for an opponent: its player, and the function that answers it. */
let waiting = null;

/** Lets two players roll dice. This server rolls, so no player can choose the score. */
async function play(player_ids) {
  const session_id = `match-${randomUUID()}`;
  const rolls = player_ids.map((player_id) => ({
    player_id,
    score: Math.ceil(Math.random() * 100),
  }));
  await overworld.track(
    rolls.map(({ player_id, score }) => ({
      event_name: 'match_played',
      session_id,
      player_id,
      properties: { score },
    })),
  );
  return Promise.all(
    rolls.map(async ({ player_id, score }) => {
      const { rank } = await overworld.player(player_id).leaderboards.submit('duels', score);
      return { player_id, score, rank };
    }),
  );
}

/** Waits for an opponent. @returns the match; null if the client has left before. */
async function join(player_token, left) {
  // Never believe an id that a client sends: the token proves which player it is.
  const { player_id } = await overworld.verifyPlayer(player_token);
  if (left.aborted) return null;
  const opponent = waiting;
  if (opponent !== null && opponent.player_id !== player_id) {
    waiting = null;
    const match = play([opponent.player_id, player_id]);
    opponent.resolve(match);
    return match;
  }
  return new Promise((resolve) => {
    const own = { player_id, resolve };
    waiting = own;
    left.addEventListener('abort', () => {
      if (waiting === own) waiting = null;
      resolve(null);
    });
  });
}

createServer(async (request, response) => {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    const [, player_token] = request.headers.authorization?.split(' ') ?? [];
    answer(200, await join(player_token, left.signal));
  } catch (error) {
    if (error instanceof OverworldError && error.code === 'invalid_player_token') {
      return answer(401, { error: error.message });
    }
    console.error(error);
    answer(503, { error: 'Try again later' });
  }
}).listen(Number(PORT), () => console.log(`The match server listens on port ${PORT}`));
