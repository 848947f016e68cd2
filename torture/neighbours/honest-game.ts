import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load/connection.ts';
import type { Answer, HttpRequest } from '../load/connection.ts';
import { createLatencies } from '../load/latencies.ts';
import type { Latencies } from '../load/latencies.ts';
import type { Report } from '../suite.ts';
import { welcomeNewcomers } from './newcomers.ts';
import type { Scene } from './scene.ts';

/** Latencies of honest players and of their administrator over some time. */
export interface Experience {
  requests: Latencies;
  logins: Latencies;
}

export const createExperience = (): Experience => ({
  requests: createLatencies(),
  logins: createLatencies(),
});

/**
 * A game whose players send at a steady rate. Every second its administrator logs in, and so does a new
 * player, who then moves to another device.
 */
export interface HonestGame {
  /** Records latencies in this object from now on. */
  note(experience: Experience): void;
  /** Stops the players, and resolves when no request is under way. */
  stop(): Promise<void>;
}

/**
 * The time between two requests with the same key. 13 requests
 * a second are 780 a minute, and a key may send 1,000 a minute.
 */
const INTERVAL_MS = 1_000 / 13;
const LOGIN_INTERVAL_MS = 1_000;
const PLAYERS = 20;
const RETRY_DELAY_MS = 200;

/**
 * @param retriesBusy True if a request is sent again after a 503, as SDKs do, and the 503 is no violation.
 */
export function startHonestGame(
  report: Report,
  { port, honest }: Scene,
  retriesBusy: boolean,
): HonestGame {
  let met = createExperience();
  const stopped = new AbortController();
  const isOver = () => stopped.signal.aborted;
  const isToRetry = ({ status }: Answer) => retriesBusy && status === 503;

  /** Sends a request. Its latency counts from `due_at`, even if the request is sent later. */
  const send = async (connection: Connection, request: HttpRequest, due_at: number) => {
    const into = met;
    const which = request.path.startsWith('/v1/auth') ? into.logins : into.requests;
    let answer: Answer | null = null;
    try {
      answer = await connection.send(request);
      while (isToRetry(answer) && !isOver()) {
        await sleep(RETRY_DELAY_MS);
        answer = await connection.send(request);
      }
    } catch (error) {
      report.violation(`an honest ${request.method} ${request.path} got no answer: ${error}`);
    }
    which.add(performance.now() - due_at);
    if (answer !== null && answer.status >= 300 && !isToRetry(answer)) {
      const { status, body } = answer;
      report.violation(
        `an honest ${request.method} ${request.path} was answered ${status} ${body}`,
      );
    }
    return answer;
  };

  const play = async (key: string, client: number) => {
    const headers = { 'x-game-api-key': key };
    const players = Array.from({ length: PLAYERS }, (_, index) => ({
      id: `honest-${client}-${index}`,
      connection: new Connection(port, headers),
      under_way: Promise.resolve(),
      plays: 0,
    }));
    let due_at = performance.now() + (client * INTERVAL_MS) / honest.keys.length;
    for (let turn = 0; !isOver(); turn++) {
      const player = players[turn % PLAYERS]!;
      const due = due_at;
      player.under_way = player.under_way.then(async () => {
        const step = makeStep(player.id, player.plays++);
        const answer = await send(player.connection, step.request, due);
        if (answer === null || answer.status >= 300 || step.isRight(answer.body)) return;
        report.violation(`an honest ${step.request.path} was answered ${answer.body}`);
      });
      due_at += INTERVAL_MS;
      await sleep(Math.max(0, due_at - performance.now()));
    }
    await Promise.all(players.map(({ under_way }) => under_way));
    for (const { connection } of players) connection.close();
  };

  const logIn = async () => {
    const connection = new Connection(port, {});
    const { email, password } = honest;
    const body = JSON.stringify({ email, password });
    while (!isOver()) {
      const due_at = performance.now();
      await send(connection, { method: 'POST', path: '/v1/auth/login', body }, due_at);
      await sleep(Math.max(0, due_at + LOGIN_INTERVAL_MS - performance.now()));
    }
    connection.close();
  };

  const newcomers = welcomeNewcomers(
    { port, key: honest.newcomers_key },
    (connection, request) => send(connection, request, performance.now()),
    (words) => report.violation(words),
    isOver,
  );
  const lives = [...honest.keys.map(play), logIn(), newcomers];
  return {
    note: (experience) => void (met = experience),
    async stop() {
      stopped.abort();
      await Promise.all(lives);
    },
  };
}

/** Makes the next request of a player, who in turn tracks, saves, loads the save, and submits a score. */
function makeStep(
  player_id: string,
  plays: number,
): {
  request: HttpRequest;
  isRight(body: string): boolean;
} {
  const round = Math.floor(plays / 4);
  const post = (method: string, path: string, body: unknown) => ({
    method,
    path,
    body: JSON.stringify(body),
  });
  switch (plays % 4) {
    case 0:
      return {
        request: post('POST', '/v1/track', { event_name: 'turn', session_id: 's', player_id }),
        isRight: (body) => JSON.parse(body).received === 1,
      };
    case 1: {
      const data = { round, bag: 'x'.repeat(2_000) };
      return {
        request: post('PUT', '/v1/saves', { player_id, data }),
        isRight: (body) => JSON.parse(body).success === true,
      };
    }
    case 2:
      return {
        request: { method: 'GET', path: `/v1/saves?player_id=${player_id}` },
        isRight: (body) => JSON.parse(body).data.round === round,
      };
    default:
      return {
        request: post('POST', '/v1/leaderboards', { board_name: 'all', player_id, score: round }),
        isRight: (body) => JSON.parse(body).score === round,
      };
  }
}
