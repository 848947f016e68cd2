import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, UnansweredError } from '../load/connection.ts';
import type { Answer, HttpRequest } from '../load/connection.ts';
import type { Scene } from './scene.ts';

/** The functions with which an attack sends requests. They go on until `isOver` returns true. */
export interface Attacker {
  readonly scene: Scene;
  isOver(): boolean;
  /** Runs clients that send each request `pause_ms` after the answer to the previous one. */
  loop(options: LoopOptions): Promise<void>;
  /** Keeps connections open that send `text`, and opens new ones for those that the server closes. */
  hold(options: HoldOptions): Promise<void>;
}

export interface Attack {
  name: string;
  /**
   * True if the attacker is a player of the honest game. The limit
   * for one player (the player's share) must stop this attack.
   */
  is_of_player?: true;
  /** True if no request of the attack may succeed. */
  wins_nothing?: true;
  run(attacker: Attacker): Promise<void>;
}

interface LoopOptions {
  /** Number of addresses that the clients come from. */
  addresses: number;
  clients: number;
  headers?: (client: number) => Record<string, string>;
  next: (client: number, last: Answer | null) => HttpRequest;
  pause_ms?: number;
}

interface HoldOptions {
  /** Number of addresses that the connections come from. */
  addresses: number;
  connections: number;
  text: string | Buffer;
  /** True if the clients read their answers. */
  reads?: boolean;
}

/** The result of an attack. */
export interface Outcome {
  statuses: Record<string, number>;
  unanswered: number;
  opened: number;
}

/**
 * The number of connections that are opened before a pause of 50 ms, so 1,000 a second. More of them would
 * attack the listening queue of the system instead of the server.
 */
const OPENED_AT_ONCE = 50;

/** Returns an address of an attack. Each attack has its own network; honest players are at 127.0.0.1. */
const addressOf = (attack: number, index: number) => `127.0.${attack + 1}.${index + 2}`;

/** @param attack The number of the attack, from 0. */
export function createAttacker(
  attack: number,
  { scene, outcome, isOver }: { scene: Scene; outcome: Outcome; isOver: () => boolean },
): Attacker {
  const count = (status: number) => {
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
  };

  const runClient = async (client: number, options: LoopOptions) => {
    const { addresses, headers, next, pause_ms = 0 } = options;
    const address = addressOf(attack, client % addresses);
    let connection = new Connection(scene.port, headers?.(client) ?? {}, address);
    let last: Answer | null = null;
    while (!isOver()) {
      try {
        last = await connection.send(next(client, last));
        count(last.status);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        outcome.unanswered += 1;
        last = null;
        connection.close();
        connection = new Connection(scene.port, headers?.(client) ?? {}, address);
        await sleep(20);
      }
      if (pause_ms > 0) await sleep(pause_ms);
    }
    connection.close();
  };

  return {
    scene,
    isOver,
    async loop(options) {
      const clients = Array.from({ length: options.clients }, (_, client) => client);
      await Promise.all(clients.map((client) => runClient(client, options)));
    },
    async hold({ addresses, connections, text, reads = false }) {
      const sockets = new Set<ReturnType<typeof connect>>();
      for (let opened = 0; !isOver(); opened++) {
        while (sockets.size >= connections && !isOver()) await sleep(20);
        if (opened % OPENED_AT_ONCE === 0) await sleep(50);
        const localAddress = addressOf(attack, opened % addresses);
        const socket = connect({ port: scene.port, host: '127.0.0.1', localAddress });
        sockets.add(socket);
        outcome.opened += 1;
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
        if (reads) socket.on('data', (chunk) => count(Number(String(chunk).slice(9, 12))));
        else socket.pause();
        if (text.length > 0) socket.write(text);
      }
      for (const socket of sockets) socket.destroy();
    },
  };
}
