import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

export const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ');
/** The last stage of the Dockerfile, which makes the image. The earlier stages only build what it copies. */
export const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1);

const read = (instruction: string) =>
  new RegExp(`^${instruction} (.*)$`, 'm').exec(lastStage)?.[1] ?? '';
/**
 * Reads a command. Commands are written as lists, because a shell would not pass signals on to the
 * server.
 */
const readCommand = (text: string) => JSON.parse(text) as string[];

/** The settings with which Docker starts a container of the image. */
export const imageSettings = {
  env: Object.fromEntries(
    read('ENV')
      .split(/\s+/)
      .map((pair) => pair.split(/=(.*)/).slice(0, 2) as [string, string]),
  ),
  user: read('USER'),
  volume: read('VOLUME'),
  command: [...readCommand(read('ENTRYPOINT')), ...readCommand(read('CMD'))],
  healthcheck: readCommand(read('HEALTHCHECK').replace(/^.*? CMD /, '')),
};
