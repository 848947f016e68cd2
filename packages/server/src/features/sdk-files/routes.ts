import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { SDK_FILES } from '@overworld/contract/sdk-files';
import { ApiError } from '../../platform/errors.ts';
import { acceptsEncoding } from '../../platform/http/accepts-encoding.ts';
import { sendCached } from '../../platform/http/send-cached.ts';
import type { HttpServer } from '../../platform/http/server.ts';

/** The ways to compress a text, the smallest result first. */
const COMPRESSIONS = [
  ['br', promisify(brotliCompress)],
  ['gzip', promisify(gzip)],
] as const;

/** The output folder of `npm run build:sdks`. */
const BUILT_SDKS = fileURLToPath(new URL('../../../dist/sdk', import.meta.url));

/**
 * Serves the SDKs of this release at `/sdk/…`, to everybody. Pages of all origins may load them.
 * @param folder The built files. While one is missing, its path answers 503.
 */
export function mountSdkFiles(server: HttpServer, folder = BUILT_SDKS): void {
  for (const [name, type] of Object.entries(SDK_FILES)) {
    const isText = type.startsWith('text/');
    let plain: Buffer | undefined;
    const packed = new Map<string, Buffer>();
    server.mount({
      method: 'GET',
      path: `/sdk/${name}`,
      async handle(exchange) {
        exchange.setHeader('access-control-allow-origin', '*');
        plain ??= await readFile(join(folder, name)).catch(refuse);
        if (!isText) return sendCached(exchange, type, plain);
        exchange.setHeader('vary', 'Origin, Accept-Encoding');
        for (const [encoding, compress] of COMPRESSIONS) {
          if (!acceptsEncoding(exchange.request, encoding)) continue;
          const bytes = packed.get(encoding) ?? (await compress(plain));
          packed.set(encoding, bytes);
          exchange.setHeader('content-encoding', encoding);
          return sendCached(exchange, type, bytes);
        }
        return sendCached(exchange, type, plain);
      },
    });
  }
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new ApiError(503, 'The SDKs are not built: run `npm run build:sdks` on the server');
}
