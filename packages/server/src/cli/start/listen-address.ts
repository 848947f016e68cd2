import { createServer } from 'node:net';
import type { Config } from '../../platform/config.ts';
import { CommandError } from '../command.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Listens on the address for a moment, so that a port in use is noticed before a database is set up.
 * @throws CommandError with one sentence for the user.
 */
export async function checkListenAddress(address: Address): Promise<void> {
  const { host, port } = address;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, address)));
    server.listen({ host, port }, () => server.close(() => resolve()));
  });
}

/**
 * Returns a CommandError with one sentence for a failure
 * that the user can fix, and any other error unchanged.
 */
export function explainListenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new CommandError(
        `Port ${port} on ${host} is already in use: stop the program that uses it, or choose another port, such as PORT=${port + 1}.`,
      );
    case 'EACCES':
      return new CommandError(
        `This user may not use port ${port}: choose one above 1023, such as PORT=8080.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`HOST=${host} is not an address of this machine.`);
    default:
      return error;
  }
}
