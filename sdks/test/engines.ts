import { csharp } from './csharp.ts';
import type { Engine } from './engine.ts';
import { godot } from './godot/godot.ts';

/** The SDKs with which every test runs. */
export const engines: Engine[] = [csharp, godot];
