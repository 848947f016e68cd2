import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { shortenCode } from './shorten-code.ts';

const cwd = fileURLToPath(new URL('.', import.meta.url));

const ENTRIES = {
  overworld: 'src/overworld.ts',
  server: 'src/server/server.ts',
  'file-store': 'src/stores/file-store.ts',
  'indexed-db-store': 'src/stores/indexed-db-store.ts',
};

/**
 * Names of members that only the SDK's own code uses: games, servers, stores and browsers never see them.
 * Short names for these members make the compressed bundle 2.5% smaller. Members of JSON in the store must
 * keep their names, because the next release reads that JSON, so they are not listed. Neither are names that
 * texts, lists or other objects of JavaScript have too, such as `trim`: the bundle would call a member that
 * does not exist.
 */
export const PRIVATE_MEMBERS =
  /^(absent|after|ahead_ms|append|ask|begin|call|calls|clock|drop|dropped|earlier_identity|enter|enterAgain|erase|fail|failStore|failure|features|findCall|finish|forget|given|gives|hold|hurry|identity|inTurn|isAwaited|isEnabled|isKnown|isLong|isOnce|isOurs|isSet|isStored|keep|kept|known|learn|leave|listKeys|logInByDevice|logins|look|lower|make|makers|makeTracker|names|number|numbers|open|options|other|ownId|player|prefix|prefixes|query|queue|replaced|retry|say|send|session|shrink|start|stop|takeLock|tell|tokenOf|touch|transport|waiting|written)$/;

/** Entries that pages load. The others are for Node and other servers. */
const FOR_PAGES = ['overworld', 'indexed-db-store'];

/**
 * Writes an ES module and a CommonJS module for each entry. The ES modules for pages are minified. Node loads
 * the others, and prints the whole line of an error that nobody catches, so they keep their lines.
 * `shortenCode` gives the client its short names in place of the minifier.
 * The code has the order of the imports. It compresses better with like code side by side: the order of the
 * SDK's imports saves 60 bytes.
 */
export async function bundleSdk(dir: string): Promise<void> {
  for (const [name, path] of Object.entries(ENTRIES)) {
    for (const format of ['esm', 'cjs'] as const) {
      const extension = format === 'esm' ? 'js' : 'cjs';
      const isForPages = format === 'esm' && FOR_PAGES.includes(name);
      const isClient = isForPages && name === 'overworld';
      await build({
        cwd,
        input: { [name]: path },
        external: /^node:/,
        platform: 'neutral',
        // Browsers of the last four years and Hermes can run this syntax.
        transform: { target: 'es2022' },
        plugins: isClient && {
          name: 'shorten-code',
          renderChunk: (code) => shortenCode(code, PRIVATE_MEMBERS),
        },
        output: {
          dir,
          format,
          entryFileNames: `[name].${extension}`,
          minify: isForPages && {
            // In this code, reading a member has no side effect.
            compress: { treeshake: { propertyReadSideEffects: false } },
            mangle: !isClient,
          },
          comments: false,
          sourcemap: true,
        },
      });
    }
  }
}
