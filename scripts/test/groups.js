import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Test files that may share a process: they run their servers inside the test process
 * and change nothing else in it. At most `files` of them share one process. The number
 * is lower for slow files, so that no process still runs when all others have ended.
 * Processes start in the order of this list, before the files that run alone, so it begins with the longest
 * files, which run alone too.
 */
const SHARES = [
  {
    paths: [
      /^packages\/sdk\/test\/toolchains/,
      /^packages\/server\/src\/features\/.*\/(killed-\w+|large-plans)\.slow/,
      /^torture\/(crashes|locales)\./,
    ],
    files: 1,
  },
  { paths: [/^packages\/server\/src\/features\/.*\.slow/], files: 6 },
  {
    paths: [
      // The tests of parse-json are left out. They test a bug of JSON.parse that appears only after certain
      // earlier calls in the same process.
      /^packages\/server\/src\/features\/(?!.*\.slow)/,
      /^packages\/server\/src\/platform\/(?!embedded-postgres|json\/parse-json)/,
      /^packages\/sdk\/test\/(?!browser|package)/,
    ],
    files: 24,
  },
  {
    paths: [/^packages\/dashboard\//],
    files: 12,
  },
  {
    paths: [/^sdks\//],
    files: 12,
  },
  {
    paths: [/^examples\/moonward\/(?!test\/start)/],
    files: 6,
  },
  {
    paths: [
      // The files named in parentheses may not share a process, so each runs in a process of its own.
      /^packages\/server\/test\/(?!.*\/(partial-start|rate-limit-redis|schema|secrets|killed-merge|rolling-restart))/,
    ],
    files: 6,
  },
];

/**
 * Groups the files that may share a process. A process that loads the server takes 0.7 s of CPU before
 * its first test, and another second if it starts a browser.
 * @param {string[]} files paths below `root`
 * @param {string} folder the folder for the new files, each of which imports one group
 * @returns {Promise<{ path: string, files: string[] }[]>} for each process the path for `node --test`, and
 * the test files that it runs
 */
export async function groupFiles(files, root, folder) {
  const alone = new Set(files);
  const processes = [];
  for (const { paths, files: size } of SHARES) {
    const together = [...alone].filter((file) => paths.some((path) => path.test(file)));
    for (const file of together) alone.delete(file);
    for (let first = 0; first < together.length; first += size) {
      const group = together.slice(first, first + size);
      const number = String(processes.length).padStart(3, '0');
      processes.push({ path: await writeGroup(number, group, root, folder), files: group });
    }
  }
  for (const file of alone) processes.push({ path: file, files: [file] });
  return processes;
}

/**
 * Writes a file that imports each of these files in a suite of its own,
 * so that the hooks of a file apply only to the tests of that file.
 * @param {string} number The beginning of the file's name, because Node starts files in the order of their names.
 */
async function writeGroup(number, files, root, folder) {
  const suites = files.map(
    (file) =>
      `describe(${JSON.stringify(file)}, () => {
         countSuite(${JSON.stringify(file)});
         return awaitLoad(import('${pathToFileURL(resolve(root, file))}'));
       });`,
  );
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  const name = `${number}-${files[0].replaceAll('/', '-').replace(/\.test\.[jt]s$/, '')}${others}.test.js`;
  const path = join(folder, name);
  const imports = [
    `import { describe } from 'node:test';`,
    `import { countSuite } from '${new URL('cpu-account.js', import.meta.url)}';`,
    `import { awaitLoad } from '${new URL('light-hooks.js', import.meta.url)}';`,
    // This module has a top-level await. If a test file were the first to
    // load it, the tests of all files would be registered in one suite.
    `import '${new URL('../../packages/contract/src/operations.ts', import.meta.url)}';`,
  ];
  await writeFile(path, [...imports, ...suites, ''].join('\n'));
  return path;
}
