import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Tells whether Mono's `mcs` and `mono`, which compile and run the C# of the Unity package, are on the PATH.
 */
export function hasMono() {
  return ['mcs', 'mono'].every(isOnPath);
}

function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
