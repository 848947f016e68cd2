import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../command.ts';

interface Write {
  file: string;
  text: string;
  /** True if the file must not exist yet. */
  is_new: boolean;
}

/**
 * Collects changes of files, and makes all of them or none: new texts first go to files beside their places, so
 * that a full disk or a missing permission leaves the folder as it was.
 */
export function createFolderChange() {
  const writes: Write[] = [];
  const removals: string[] = [];
  return {
    write: (file: string, text: string, is_new: boolean) =>
      void writes.push({ file, text, is_new }),
    remove: (file: string) => void removals.push(file),
    /** @throws CommandError that names the file which cannot be changed; then nothing is changed. */
    async make(): Promise<void> {
      /** Takes back what was done, the last step first. */
      const undo: (() => Promise<unknown>)[] = [];
      let file = '';
      try {
        const prepared: { temporary: string; target: string; is_new: boolean }[] = [];
        for (const write of writes) {
          file = write.file;
          prepared.push(await prepare(write, undo));
        }
        for (const { temporary, target, is_new } of prepared) {
          file = target;
          const before = is_new ? null : await readFile(target);
          await rename(temporary, target);
          undo.push(() => (before === null ? rm(target) : writeFile(target, before)));
        }
        for (const removed of removals) {
          file = removed;
          const before = await readFile(removed);
          await rm(removed);
          undo.push(() => writeFile(removed, before));
        }
      } catch (error) {
        for (const step of undo.toReversed()) await step().catch(() => undefined);
        if (error instanceof CommandError) throw error;
        throw new CommandError(
          `${file} cannot be written, so nothing was: ${(error as Error).message}`,
        );
      }
    },
  };
}

export type FolderChange = ReturnType<typeof createFolderChange>;

/** Writes the new text of a file beside its place. */
async function prepare({ file, text, is_new }: Write, undo: (() => Promise<unknown>)[]) {
  // A link stays a link.
  const target = is_new ? file : await realpath(file);
  if (is_new) {
    if (await exists(file)) {
      throw new CommandError(`${file} is in the way: another definition belongs there`);
    }
    const made = await mkdir(dirname(file), { recursive: true });
    if (made !== undefined) undo.push(() => rm(made, { recursive: true }));
  }
  const mode = is_new ? 0o666 : (await stat(target)).mode;
  const suffix = randomBytes(6).toString('hex');
  const temporary = join(dirname(target), `.${basename(target).slice(0, 200)}.${suffix}.tmp`);
  undo.push(() => rm(temporary, { force: true }));
  await writeFile(temporary, text, { flag: 'wx', mode });
  return { temporary, target, is_new };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
