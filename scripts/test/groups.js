import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** These files run their servers inside the test process, and take seconds. */
const SHARES_A_PROCESS = [
  /^packages\/server\/src\/(features|platform(?!\/embedded-postgres))\//,
  /^packages\/server\/test\/(cors|cross-site|game-deletion-races|openapi|player-erasure|rate-limit)\.test\.ts$/,
  /^packages\/sdk\/test\/(?!browser|package)/,
  /^packages\/contract\//,
];
const FILES_A_PROCESS = 8;

/**
 * Puts files that may share a process together, eight at a time: a process that loads the server takes
 * 0.7 s of CPU before its first test, which is more than most of these files need for their tests.
 * @param {string[]} files paths below `root`
 * @param {string} folder for the files that import them
 * @returns paths for `node --test`
 */
export async function groupFiles(files, root, folder) {
  const together = files.filter((file) => SHARES_A_PROCESS.some((path) => path.test(file)));
  const paths = files.filter((file) => !together.includes(file));
  for (let first = 0; first < together.length; first += FILES_A_PROCESS) {
    paths.push(await writeGroup(together.slice(first, first + FILES_A_PROCESS), root, folder));
  }
  return paths;
}

/** Hooks of a file that is imported by a suite are hooks of that suite. */
async function writeGroup(files, root, folder) {
  const suites = files.map(
    (file) =>
      `describe(${JSON.stringify(file)}, () => {
         countSuite(${JSON.stringify(file)});
         return awaitLoad(import('${pathToFileURL(resolve(root, file))}'));
       });`,
  );
  const name = `${files[0].replaceAll('/', '-')} and ${files.length - 1} more.test.js`;
  const path = join(folder, name);
  const imports = [
    `import { describe } from 'node:test';`,
    `import { countSuite } from '${new URL('cpu-account.js', import.meta.url)}';`,
    `import { awaitLoad } from '${new URL('light-hooks.js', import.meta.url)}';`,
  ];
  await writeFile(path, [...imports, ...suites, ''].join('\n'));
  return path;
}
