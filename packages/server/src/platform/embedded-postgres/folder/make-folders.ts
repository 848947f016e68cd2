import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the missing folders above it, and returns the folders that
 * it made. It does not use Node's own recursive mkdir, which never ends where
 * the system answers ENOENT below an existing folder, as it does in /proc.
 */
export function makeFolders(path: string, mode: number): string[] {
  try {
    mkdirSync(path, { mode });
    return [path];
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    const parent = dirname(path);
    const hasParent = lstatSync(parent, { throwIfNoEntry: false }) !== undefined;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || hasParent) throw error;
    return [...makeFolders(parent, mode), ...makeFolders(path, mode)];
  }
}
