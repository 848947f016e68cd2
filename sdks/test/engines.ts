import { csharp } from './csharp.ts';
import type { Engine } from './engine.ts';
import { gdscript } from './gdscript.ts';

/** The SDKs that every test plays. */
export const engines: Engine[] = [csharp, gdscript];
