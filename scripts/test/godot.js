import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds Godot 4.5 or newer for the tests of the Godot addon: GODOT_BIN, or `godot` in the usual places. */
export function findGodot() {
  if (process.env.GODOT_BIN !== undefined) return process.env.GODOT_BIN || null;
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/opt/godot/bin'];
  return folders.map((folder) => join(folder, 'godot')).find(existsSync) ?? null;
}
