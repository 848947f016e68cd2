import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

/** The server that `npm start` runs; `npm run dev` passes API calls on to it. */
const server = process.env.OVERWORLD_URL ?? 'http://127.0.0.1:8080';

/** Matches the code of lists to choose from. It leaves out `to-int`, which the frame of each page needs. */
const CHOICES = /@mantine.core.*components.(Combobox|ScrollArea(?!.*to-int))/;
/** Matches the code of dialogs and forms, without the choices in them. */
const DIALOGS =
  /@mantine.(form|core.*components.Modal)|react-remove-scroll|use-sidecar|src.ui.forms/;

export default defineConfig({
  plugins: [react(), preloadFont(), compressFiles()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy does not allow fonts in data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file for every few modules would compress badly. Code that most pages need is in one file. The
        // code of dialogs and forms is in another, because the overview opens without it, and the code of
        // choices in a third, because some pages have filters but no form.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              minShareCount: 36,
              test: (id) => !CHOICES.test(id) && !DIALOGS.test(id),
            },
            { name: 'choices', minShareCount: 36, test: CHOICES },
            { name: 'dialogs', minShareCount: 36 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/docs': server } },
});

/** Makes browsers load the font of all texts early, so no text moves when the font arrives. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((name) => /figtree-latin-wght-normal/.test(name));
      if (font === undefined) throw new Error('The font of all texts is not in the build');
      const attrs = { rel: 'preload', as: 'font', href: `/${font}`, crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  };
}

/** Writes .br and .gz files beside the text files, so the server need not compress them. */
function compressFiles(): Plugin {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  return {
    name: 'compress-files',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        const path = join(dir, name);
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
