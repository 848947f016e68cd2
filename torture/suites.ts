import type { Suite } from './suite.ts';
import { container } from './container.ts';
import { crashes } from './crashes.ts';
import { fuzz } from './fuzz.ts';
import { sdk } from './sdk.ts';

/** What `npm run torture` can run. */
export const SUITES: readonly Suite[] = [crashes, container, sdk, fuzz];
