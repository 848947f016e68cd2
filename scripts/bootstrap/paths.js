import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of npm's programs, which comes first in the PATH of npm's scripts. */
export const binFolder = join(root, 'node_modules', '.bin');
