import type { AccountCaller } from './accounts.ts';
import type { KeyCaller } from './api-keys.ts';

export type Caller = KeyCaller | AccountCaller;
