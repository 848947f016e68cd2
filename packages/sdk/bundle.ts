import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const cwd = fileURLToPath(new URL('.', import.meta.url));

const ENTRIES = {
  overworld: 'src/overworld.ts',
  'file-store': 'src/stores/file-store.ts',
  'indexed-db-store': 'src/stores/indexed-db-store.ts',
};

/**
 * Members that games, servers, stores and browsers never see. They get short names, which saves a
 * fortieth of the compressed bundle. Members of JSON in the store are not among them, because the next
 * release reads that JSON. The transcripts are played with the bundle, too.
 */
const PRIVATE_MEMBERS =
  /^(after|append|begin|call|calls|clock|discard|drop|dropped|earlier_identity|enter|erase|fail|features|findCall|finish|given|hold|hurry|identity|inTurn|isAwaited|isEnabled|isHeld|isKnown|isOnce|isOurs|keep|kept|known|learn|leave|listKeys|logInByDevice|lower|make|makeTracker|names|number|numbers|open|options|own_id|player|prefix|prefixes|query|read|release|renew|repeat|replaceDevice|restore|retryNow|send|session|take|tell|tokenOf|touch|transport|trim|waiting|written)$/;

/** Writes a minified module for each entry, and the same for CommonJS. */
export async function bundleSdk(dir: string): Promise<void> {
  for (const [name, path] of Object.entries(ENTRIES)) {
    for (const format of ['esm', 'cjs'] as const) {
      const extension = format === 'esm' ? 'js' : 'cjs';
      await build({
        cwd,
        input: { [name]: path },
        external: /^node:/,
        platform: 'neutral',
        // The browsers of the last four years and Hermes run this.
        transform: { target: 'es2022' },
        output: {
          dir,
          format,
          entryFileNames: `[name].${extension}`,
          minify: {
            // Reading a member has no effect in this code.
            compress: { treeshake: { propertyReadSideEffects: false } },
            mangle: true,
            ...(name === 'overworld' && { mangleProps: { include: PRIVATE_MEMBERS } }),
          },
          comments: false,
          sourcemap: true,
        },
      });
    }
  }
}
