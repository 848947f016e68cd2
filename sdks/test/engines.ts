import { csharp } from './csharp.ts';
import type { Engine } from './engine.ts';
import { gdscript } from './gdscript.ts';

/** The SDKs with which every test runs. */
export const engines: Engine[] = [csharp, gdscript];
