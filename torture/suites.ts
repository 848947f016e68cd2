import { cluster } from './cluster.ts';
import { container } from './container.ts';
import { crashes } from './crashes.ts';
import { fuzz } from './fuzz.ts';
import { kills } from './kills.ts';
import { neighbours } from './neighbours.ts';
import { overload } from './overload.ts';
import { sdk } from './sdk.ts';
import { servers } from './servers.ts';
import { soak } from './soak.ts';
import { stalls } from './stalls.ts';
import type { Suite } from './suite.ts';

/** The suites of `npm run torture`. */
export const SUITES: readonly Suite[] = [
  crashes,
  kills,
  overload,
  neighbours,
  servers,
  cluster,
  soak,
  container,
  sdk,
  fuzz,
  stalls,
];
