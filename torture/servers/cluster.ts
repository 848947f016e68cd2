import { findFreePort } from '../../packages/server/test/free-port.ts';
import { makeFolder } from '../machine/folder.ts';
import type { TemporaryFolder } from '../machine/folder.ts';
import { Server } from '../machine/server.ts';

/** Several servers of one installation, on one external database, with one Redis or none. */
export class Cluster {
  readonly servers: Server[];
  readonly #folder: TemporaryFolder;

  private constructor(servers: Server[], folder: TemporaryFolder) {
    this.servers = servers;
    this.#folder = folder;
  }

  /** Starts all servers at once. */
  static async start(count: number, env: Record<string, string>): Promise<Cluster> {
    const folder = await makeFolder();
    const ports = await Promise.all(Array.from({ length: count }, findFreePort));
    const starts = await Promise.allSettled(
      ports.map((port) => Server.start({ port, data_dir: folder.path, env })),
    );
    const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const cluster = new Cluster(servers, folder);
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed === undefined) return cluster;
    await cluster[Symbol.asyncDispose]();
    throw failed.reason;
  }

  get ports(): number[] {
    return this.servers.map(({ settings }) => settings.port);
  }

  /** Starts the server at this place again, after it has ended. */
  async restart(place: number): Promise<void> {
    this.servers[place] = await Server.start(this.servers[place]!.settings);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => (server.has_ended ? null : server.stop())));
    await this.#folder[Symbol.asyncDispose]();
  }
}
