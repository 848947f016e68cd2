import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { listChildren } from '../machine/processes.ts';
import { waitUntilReady } from '../machine/server.ts';
import type { Server } from '../machine/server.ts';

/** A fault that strikes a server under load. */
interface Fault {
  name: string;
  /** The chance that the fault is chosen, relative to the other faults. */
  weight: number;
  /**
   * Causes the fault. Resolves when the server has ended, or when it serves again by itself.
   * @returns a violation, or null.
   */
  strike(server: Server, random: Random): Promise<string | null>;
}

/** A server that cannot continue must report the reason and end within this time. */
const END_PATIENCE_MS = 10_000;
const RECOVERY_PATIENCE_MS = 60_000;

export const FAULTS: readonly Fault[] = [
  {
    name: 'SIGKILL of the server',
    weight: 3,
    async strike(server) {
      server.kill('SIGKILL');
      return expectEnd(server, null);
    },
  },
  {
    name: 'SIGKILL of PostgreSQL',
    weight: 3,
    async strike(server) {
      process.kill(server.postmaster_pid, 'SIGKILL');
      return expectEnd(server, 1);
    },
  },
  {
    name: 'SIGKILL of both',
    weight: 2,
    async strike(server, random) {
      const both = [server.postmaster_pid, server.pid];
      for (const pid of random.below(2) === 0 ? both : both.toReversed()) {
        process.kill(pid, 'SIGKILL');
      }
      return expectEnd(server, null);
    },
  },
  {
    name: 'SIGKILL of the process group',
    weight: 2,
    async strike(server) {
      server.killGroup('SIGKILL');
      return expectEnd(server, null);
    },
  },
  {
    name: 'SIGKILL of one process of PostgreSQL',
    weight: 1,
    async strike(server, random) {
      const postmaster = server.postmaster_pid;
      const killed = listChildren(postmaster);
      process.kill(random.pick(killed), 'SIGKILL');
      // PostgreSQL ends all its processes and recovers. The server must keep running. Until it notices
      // that PostgreSQL has ended, it may still answer that it is ready.
      const deadline = performance.now() + RECOVERY_PATIENCE_MS;
      while (listChildren(postmaster).some((pid) => killed.includes(pid))) {
        if (performance.now() > deadline) return 'PostgreSQL did not end its other processes';
        await sleep(10);
      }
      await waitUntilReady(server.url, RECOVERY_PATIENCE_MS);
      return server.has_ended ? 'the server ended with a process of PostgreSQL' : null;
    },
  },
];

/**
 * A fault for servers with several workers. The signal makes `end-workers.js`, which runs in the server,
 * end one worker.
 */
export const END_OF_A_WORKER: Fault = {
  name: 'end of a worker',
  weight: 3,
  async strike(server) {
    const begun = countBegun(server);
    server.kill('SIGUSR2');
    const deadline = performance.now() + RECOVERY_PATIENCE_MS;
    while (countBegun(server) === begun) {
      if (server.has_ended) return 'the server ended with one worker';
      if (performance.now() > deadline) return 'the worker was not replaced';
      await sleep(10);
    }
    await waitUntilReady(server.url, RECOVERY_PATIENCE_MS);
    return null;
  },
};

const countBegun = ({ said }: Server) => said.match(/^worker \d+ begins/gm)?.length ?? 0;

/**
 * Waits until the server ends, which it must do with the expected exit code. @returns a violation, or null.
 */
export async function expectEnd(server: Server, expected: number | null): Promise<string | null> {
  const code = await Promise.race([server.ended, sleep(END_PATIENCE_MS, 'late' as const)]);
  if (code === 'late') {
    server.killGroup('SIGKILL');
    await server.ended;
    return `the server had not ended after ${END_PATIENCE_MS / 1_000} s`;
  }
  return code === expected ? null : `the server ended with ${code}, and not ${expected}`;
}
