import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const HEAD_BYTES = 112;
const FORMAT = 3;
const GODOT_VERSION = [4, 6, 0];
/** Offsets count from the end of the head. */
const RELATIVE = 2;
const ALIGNMENT = 16;

/** Writes the `.pck` of an imported project, as an export does: all its files, with `.godot`. */
export async function packProject(folder: string): Promise<Buffer> {
  const files: { path: string; bytes: Buffer; offset: number }[] = [];
  let end = 0;
  for (const path of globSync('{**,.godot/**}/*', { cwd: folder }).sort()) {
    if (!(await stat(join(folder, path))).isFile()) continue;
    const bytes = await readFile(join(folder, path));
    files.push({ path, bytes, offset: end });
    end = align(end + bytes.length, ALIGNMENT);
  }
  const body = Buffer.alloc(end);
  for (const { bytes, offset } of files) bytes.copy(body, offset);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('GDPC');
  [FORMAT, ...GODOT_VERSION, RELATIVE].forEach((value, i) => head.writeUInt32LE(value, 4 + 4 * i));
  head.writeBigUInt64LE(BigInt(HEAD_BYTES), 24);
  head.writeBigUInt64LE(BigInt(HEAD_BYTES + end), 32);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(files.length);
  return Buffer.concat([head, body, count, ...files.map(writeEntry)]);
}

function writeEntry(file: { path: string; bytes: Buffer; offset: number }): Buffer {
  const length = align(Buffer.byteLength(file.path), 4);
  const entry = Buffer.alloc(4 + length + 36);
  entry.writeUInt32LE(length);
  entry.write(file.path, 4);
  entry.writeBigUInt64LE(BigInt(file.offset), 4 + length);
  entry.writeBigUInt64LE(BigInt(file.bytes.length), 12 + length);
  createHash('md5')
    .update(file.bytes)
    .digest()
    .copy(entry, 20 + length);
  return entry;
}

const align = (value: number, step: number) => Math.ceil(value / step) * step;
