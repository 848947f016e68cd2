import { readFileSync } from 'node:fs';

/** A file or a link of an archive. */
export type TarEntry = { path: string } & (
  | { from: string; is_executable: boolean }
  | { content: Buffer; is_executable: boolean }
  | { link_to: string }
);

/** The time of all entries, in seconds: the one that npm gives to files. Nothing but the content changes an archive. */
const MTIME = 499_162_500;
const BLOCK = 512;
const MAX_NAME = 100;
const MAX_PREFIX = 155;

/**
 * Writes a tar archive (POSIX ustar) piece by piece, in the order of the paths. Equal entries make equal bytes:
 * owners, times and permissions of the files on this machine are left out.
 * @throws when a path is too long for the format.
 */
export function* writeTar(entries: readonly TarEntry[]): Generator<Buffer> {
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const content =
      'from' in entry ? readFileSync(entry.from) : 'content' in entry ? entry.content : null;
    yield header(entry, content?.length ?? 0);
    if (content === null) continue;
    yield content;
    yield Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function header(entry: TarEntry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { name, prefix } = splitPath(entry.path);
  const is_link = 'link_to' in entry;
  const link_to = is_link ? entry.link_to : '';
  if (Buffer.byteLength(link_to) > MAX_NAME) throw new Error(`${entry.path} links too far`);
  const mode = is_link ? 0o777 : entry.is_executable ? 0o755 : 0o644;
  block.write(name, 0);
  writeOctal(block, mode, 100, 8);
  writeOctal(block, 0, 108, 8);
  writeOctal(block, 0, 116, 8);
  writeOctal(block, size, 124, 12);
  writeOctal(block, MTIME, 136, 12);
  // The sum counts its own place as blanks.
  block.write(' '.repeat(8), 148);
  block.write(is_link ? '2' : '0', 156);
  block.write(link_to, 157);
  block.write('ustar\x0000', 257);
  writeOctal(block, 0, 329, 8);
  writeOctal(block, 0, 337, 8);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const writeOctal = (block: Buffer, value: number, at: number, length: number) =>
  block.write(value.toString(8).padStart(length - 1, '0'), at);

/** Divides a path at a slash, because the format has two places for it. */
function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= MAX_NAME) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= MAX_NAME && Buffer.byteLength(prefix) <= MAX_PREFIX) {
      return { name, prefix };
    }
  }
  throw new Error(`The path is too long for an archive: ${path}`);
}
