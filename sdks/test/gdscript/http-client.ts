// Godot's class HTTPClient, made with sockets of Node. Like the class of the engine, it makes progress only
// when `poll` is called.
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectWithTls } from 'node:tls';
import { PackedByteArray, PackedStringArray } from './values.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const READ_CHUNK_BYTES = 65_536;
const OK = 0n;
const ERR_UNCONFIGURED = 3n;
const ERR_INVALID_PARAMETER = 31n;
const ERR_CONNECTION_ERROR = 29n;

const Status = {
  STATUS_DISCONNECTED: 0n,
  STATUS_RESOLVING: 1n,
  STATUS_CANT_RESOLVE: 2n,
  STATUS_CONNECTING: 3n,
  STATUS_CANT_CONNECT: 4n,
  STATUS_CONNECTED: 5n,
  STATUS_REQUESTING: 6n,
  STATUS_BODY: 7n,
  STATUS_CONNECTION_ERROR: 8n,
  STATUS_TLS_HANDSHAKE_ERROR: 9n,
};

export const TLSOptions = { client: () => ({ isTls: true }) };

/**
 * The certificates of the authorities that games trust; undefined for the usual authorities. In Godot, a
 * project setting names such certificates.
 */
export const trusted: { ca: string[] | undefined } = { ca: undefined };

/** A socket, and the bytes and events that have arrived since the last poll. */
class Wire {
  readonly socket: Socket;
  received = Buffer.alloc(0);
  isConnected = false;
  /** True if the server has closed the socket. */
  hasEnded = false;
  error: NodeJS.ErrnoException | undefined;

  constructor(host: string, port: number, isTls: boolean, ended: AbortSignal) {
    const servername = isIP(host) ? undefined : host;
    const { ca } = trusted;
    this.socket = isTls ? connectWithTls({ host, port, servername, ca }) : connect({ host, port });
    this.socket
      .on(isTls ? 'secureConnect' : 'connect', () => (this.isConnected = true))
      .on('data', (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])))
      .on('end', () => (this.hasEnded = true))
      .on('error', (error) => (this.error = error));
    const destroy = () => this.socket.destroy();
    ended.addEventListener('abort', destroy);
    this.socket.on('close', () => ended.removeEventListener('abort', destroy));
  }

  take(length: number): Buffer {
    const taken = this.received.subarray(0, length);
    this.received = this.received.subarray(taken.length);
    return taken;
  }

  /**
   * Removes the received text up to the end of `mark`, and returns it; undefined until `mark` has arrived.
   */
  takeUntil(mark: string): string | undefined {
    const at = this.received.indexOf(mark);
    return at < 0 ? undefined : this.take(at + mark.length).toString();
  }
}

/** Makes the HTTPClient class for one game. Its connections end when the game ends. */
export function makeHttpClient(ended: AbortSignal) {
  class HTTPClient {
    static METHOD_GET = 0n;
    static METHOD_POST = 2n;
    static METHOD_PUT = 3n;
    static METHOD_DELETE = 4n;

    #wire: Wire | undefined;
    #status = Status.STATUS_DISCONNECTED;
    #host = '';
    #isTls = false;
    /** The text of the request; empty when it has been written to the socket. */
    #request = '';
    #code = 0n;
    #headers: string[] = [];
    #bodyLength = -1;
    /** Bytes of the body that are still to come; null if the body ends with the connection. */
    #left: number | null = 0;
    #isChunked = false;

    connect_to_host(host: string, port: bigint, tls: object | null = null): bigint {
      this.close();
      this.#host = `${host}:${port}`;
      this.#isTls = tls !== null;
      this.#wire = new Wire(host, Number(port), this.#isTls, ended);
      this.#status = isIP(host) ? Status.STATUS_CONNECTING : Status.STATUS_RESOLVING;
      return OK;
    }

    close(): void {
      this.#wire?.socket.destroy();
      this.#wire = undefined;
      this.#status = Status.STATUS_DISCONNECTED;
      this.#headers = [];
      this.#bodyLength = -1;
      this.#code = 0n;
    }

    get_status = () => this.#status;
    has_response = () => this.#headers.length > 0;
    is_response_chunked = () => this.#isChunked;
    get_response_code = () => this.#code;
    get_response_body_length = () => BigInt(this.#bodyLength);

    /** The headers, which can be read only once. */
    get_response_headers(): PackedStringArray {
      return PackedStringArray.from(this.#headers.splice(0));
    }

    request(method: bigint, path: string, lines: string[], body = ''): bigint {
      if (this.#status !== Status.STATUS_CONNECTED) return ERR_INVALID_PARAMETER;
      if (lines.some((line) => !/^[\w-]+: [^\r\n]*$/.test(line))) return ERR_INVALID_PARAMETER;
      const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
      const own = [`Host: ${this.#host}`, ...length, 'User-Agent: GodotEngine', 'Accept: */*'];
      const head = [`${METHODS[Number(method)]} ${path} HTTP/1.1`, ...lines, ...own];
      this.#request = `${head.join('\r\n')}\r\n\r\n${body}`;
      this.#status = Status.STATUS_REQUESTING;
      return OK;
    }

    poll(): bigint {
      const wire = this.#wire;
      if (!wire) return ERR_UNCONFIGURED;
      const isGone = wire.error !== undefined || (wire.hasEnded && wire.received.length === 0);
      switch (this.#status) {
        case Status.STATUS_RESOLVING:
        case Status.STATUS_CONNECTING:
          if (wire.isConnected) this.#status = Status.STATUS_CONNECTED;
          else if (isGone) return this.#fail(this.#explain(wire));
          else if (wire.socket.remoteAddress) this.#status = Status.STATUS_CONNECTING;
          return OK;
        case Status.STATUS_CONNECTED:
        case Status.STATUS_BODY:
          if (!isGone) return OK;
          this.#status = Status.STATUS_CONNECTION_ERROR;
          return ERR_CONNECTION_ERROR;
        case Status.STATUS_REQUESTING: {
          wire.socket.write(this.#request);
          this.#request = '';
          const head = wire.takeUntil('\r\n\r\n');
          if (head !== undefined) this.#readHead(head);
          else if (wire.error || wire.hasEnded) return this.#fail(Status.STATUS_CONNECTION_ERROR);
          return OK;
        }
        default:
          return ERR_CONNECTION_ERROR;
      }
    }

    /** The next part of the body; empty if none has arrived. */
    read_response_body_chunk(): PackedByteArray {
      if (this.#status !== Status.STATUS_BODY) throw new Error('there is no body to read');
      const wire = this.#wire!;
      const part = this.#isChunked ? this.#readChunk(wire) : this.#readPart(wire);
      const isOver = part.length === 0 && this.#status === Status.STATUS_BODY;
      if (isOver && wire.error) this.#fail(Status.STATUS_CONNECTION_ERROR);
      else if (isOver && wire.hasEnded) this.close();
      return new PackedByteArray(part);
    }

    #readHead(head: string): void {
      const [first, ...lines] = head.trimEnd().split('\r\n');
      const find = (name: string) =>
        lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
      this.#code = BigInt(first!.split(' ')[1]!);
      this.#headers = lines;
      this.#isChunked = find('transfer-encoding') === 'chunked';
      this.#bodyLength = Number(find('content-length') ?? -1);
      const isLast = find('connection')?.toLowerCase() === 'close';
      this.#left = this.#bodyLength < 0 ? null : this.#bodyLength;
      const hasBody = this.#bodyLength >= 0 || this.#isChunked || isLast;
      this.#status = hasBody ? Status.STATUS_BODY : Status.STATUS_CONNECTED;
    }

    #readPart(wire: Wire): Buffer {
      const part = wire.take(Math.min(this.#left ?? READ_CHUNK_BYTES, READ_CHUNK_BYTES));
      if (this.#left === null) return part;
      this.#left -= part.length;
      if (this.#left === 0) this.#status = Status.STATUS_CONNECTED;
      return part;
    }

    #readChunk(wire: Wire): Buffer {
      const line = wire.received.indexOf('\r\n');
      const length = Number.parseInt(wire.received.subarray(0, Math.max(line, 0)).toString(), 16);
      if (line < 0 || wire.received.length < line + length + 4) return Buffer.alloc(0);
      wire.take(line + 2);
      const chunk = wire.take(length);
      wire.take(2);
      if (length === 0) this.#status = Status.STATUS_CONNECTED;
      return chunk;
    }

    #explain({ error }: Wire): bigint {
      if (error?.syscall === 'getaddrinfo') return Status.STATUS_CANT_RESOLVE;
      const isTcp = !this.#isTls || error?.code === 'ECONNREFUSED';
      return isTcp ? Status.STATUS_CANT_CONNECT : Status.STATUS_TLS_HANDSHAKE_ERROR;
    }

    #fail(status: bigint): bigint {
      this.close();
      this.#status = status;
      return ERR_CONNECTION_ERROR;
    }
  }
  return Object.assign(HTTPClient, Status);
}
