import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const FILES_SHOWN = 25;

/**
 * Lists the files that took the most CPU, one per line.
 * @param {string} path of the file that `cpu-account.js` has written
 * @param {string} root the folder that names of files are relative to
 */
export function listDearestFiles(path, root) {
  const files = readLines(path)
    .flatMap((line) => splitProcess(line, root))
    .sort((one, other) => other.seconds - one.seconds);
  return files
    .slice(0, FILES_SHOWN)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** Adds up the CPU seconds of browsers, which are not part of the CPU time of any test process. */
export function sumBrowsers(path) {
  return readLines(path).reduce((total, { browsers }) => total + browsers, 0);
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Divides the CPU time of a process among its files. Each file gets the time of its own tests, and an
 * equal part of the rest.
 */
function splitProcess({ file, seconds, suites }, root) {
  const counted = Object.entries(suites);
  if (counted.length === 0) return [{ file: relative(root, file), seconds }];
  const shared = seconds - counted.reduce((sum, [, own]) => sum + own, 0);
  return counted.map(([name, own]) => ({ file: name, seconds: own + shared / counted.length }));
}
