import { statfs } from 'node:fs/promises';

/**
 * Reads the space of the disk with the bundled PostgreSQL.
 * @param folder Null if PostgreSQL is external: its disk may be on another machine.
 */
export async function measureDisk(folder: string | null) {
  if (folder === null) return { disk_free_bytes: null, disk_bytes: null };
  const { bavail, blocks, bsize } = await statfs(folder);
  return { disk_free_bytes: bavail * bsize, disk_bytes: blocks * bsize };
}
