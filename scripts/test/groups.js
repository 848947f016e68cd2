import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * These files run their servers inside the test process and change nothing else in it. Files that take
 * longer share a process with fewer others, so that no process runs alone at the end.
 */
const SHARES = [
  {
    paths: [
      // The tests of parse-json are left out: whether JSON.parse mistakes a key depends on earlier calls in
      // its process.
      /^packages\/server\/src\/(features|platform(?!\/embedded-postgres|\/json\/parse-json))\/(?!.*\/(comparison|tag-segment)\.slow)/,
      /^packages\/sdk\/test\/(?!browser|package)/,
    ],
    files: 24,
  },
  {
    paths: [/^sdks\//],
    files: 12,
  },
  {
    paths: [/^packages\/dashboard\//],
    files: 12,
  },
  {
    paths: [/^examples\/moonward\/(?!test\/start)/],
    files: 6,
  },
  {
    paths: [
      // Left out: files such as those that test all operations, which set a variable for their process.
      /^packages\/server\/test\/(?!.*\/(partial-start|rate-limit-redis|schema|secrets|killed-merge|rolling-restart))/,
    ],
    files: 8,
  },
];

/**
 * Puts files that may share a process together. A process that loads the server takes 0.7 s of CPU before
 * its first test, and another second if it starts a browser.
 * @param {string[]} files paths below `root`
 * @param {string} folder the folder for the new files that import them
 * @returns paths for `node --test`
 */
export async function groupFiles(files, root, folder) {
  const alone = new Set(files);
  const groups = [];
  for (const { paths, files: size } of SHARES) {
    const together = files.filter((file) => paths.some((path) => path.test(file)));
    for (const file of together) alone.delete(file);
    for (let first = 0; first < together.length; first += size) {
      groups.push(await writeGroup(together.slice(first, first + size), root, folder));
    }
  }
  return [...groups, ...alone];
}

/**
 * Writes a file that imports each of these files in its own suite, so the hooks of a file apply only to its
 * suite.
 */
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
    // This module has a top-level await. If a test file were the first to load it, the tests of all files
    // would go to one suite.
    `import '${new URL('../../packages/contract/src/operations.ts', import.meta.url)}';`,
  ];
  await writeFile(path, [...imports, ...suites, ''].join('\n'));
  return path;
}
