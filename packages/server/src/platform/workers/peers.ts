import type { MessagePort } from 'node:worker_threads';
import { unavailable } from '../errors.ts';
import { packFailure, unpackFailure } from './failures.ts';
import type { Failure } from './failures.ts';

/** Answers a call of another worker. The signal is aborted when the caller gives up or dies. */
type Handler<Input> = (
  input: Input,
  caller: { worker: number; signal: AbortSignal },
) => Promise<unknown>;

type Item =
  | { kind: 'call'; id: number; name: string; input: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'tell'; name: string; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: Failure };

interface Peer {
  port: MessagePort;
  /** Items to send at the end of this turn of the event loop. */
  outgoing: Item[];
  /** Calls to this peer that it has not answered. */
  pending: Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>;
  /** Calls from this peer that this worker has not answered. */
  serving: Map<number, AbortController>;
}

const interrupted = () =>
  unavailable('The server was interrupted and may have stored the request, try again in a second');

/** Makes the object that connects one worker to the others. At first it has no connections. */
export function createPeers() {
  const handlers = new Map<string, Handler<never>>();
  const deathListeners: ((worker: number) => void)[] = [];
  const peers = new Map<number, Peer>();
  let last_call = 0;

  const post = (peer: Peer, item: Item) => {
    if (peer.outgoing.push(item) > 1) return;
    setImmediate(() => {
      const items = peer.outgoing;
      peer.outgoing = [];
      // The rule is for browser windows, and a thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      peer.port.postMessage(items);
    });
  };

  const handle = (name: string, input: unknown, worker: number, signal: AbortSignal) =>
    handlers.get(name)!(input as never, { worker, signal });

  const answer = async (
    worker: number,
    peer: Peer,
    { id, name, input }: Item & { kind: 'call' },
  ) => {
    const controller = new AbortController();
    peer.serving.set(id, controller);
    try {
      const value = await handle(name, input, worker, controller.signal);
      post(peer, { kind: 'answer', id, value });
    } catch (error) {
      post(peer, { kind: 'failure', id, failure: packFailure(error) });
    } finally {
      peer.serving.delete(id);
    }
  };

  const takeCall = (peer: Peer, id: number) => {
    const call = peer.pending.get(id);
    peer.pending.delete(id);
    return call;
  };

  const receive = (worker: number, peer: Peer, item: Item) => {
    switch (item.kind) {
      case 'call':
        return void answer(worker, peer, item);
      case 'cancel':
        return peer.serving.get(item.id)?.abort();
      case 'tell':
        return void handle(item.name, item.input, worker, new AbortController().signal);
      case 'answer':
        return takeCall(peer, item.id)?.resolve(item.value as never);
      case 'failure':
        return takeCall(peer, item.id)?.reject(unpackFailure(item.failure));
    }
  };

  const lose = (worker: number, peer: Peer) => {
    if (peers.get(worker) === peer) peers.delete(worker);
    for (const { reject } of peer.pending.values()) reject(interrupted());
    for (const controller of peer.serving.values()) controller.abort();
    for (const listener of deathListeners) listener(worker);
  };

  return {
    /** Sets the handler that answers calls with this name. Set all handlers before the server listens. */
    serve<Input>(name: string, handler: Handler<Input>) {
      handlers.set(name, handler as Handler<never>);
    },
    /**
     * Calls a handler of another worker. All calls that are made in one turn of the event loop are sent in
     * one message.
     * @param input Anything that can be cloned to another thread.
     * @throws the error of the handler; ApiError 503 when the other worker dies during the call. It is then
     * unknown whether it has done the work.
     */
    async call<T>(worker: number, name: string, input: unknown, signal?: AbortSignal): Promise<T> {
      const peer = peers.get(worker);
      if (peer === undefined) throw interrupted();
      const id = ++last_call;
      const cancel = () => post(peer, { kind: 'cancel', id });
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await new Promise<T>((resolve, reject) => {
          peer.pending.set(id, { resolve, reject });
          post(peer, { kind: 'call', id, name, input });
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    /**
     * Sends a message to another worker, which does not answer it.
     * @param moved The ports in the input, which are moved to the other worker. If the worker has died, they
     * are closed.
     */
    tell(worker: number, name: string, input: unknown, moved: MessagePort[] = []) {
      const peer = peers.get(worker);
      if (peer === undefined) return moved.forEach((port) => port.close());
      const item: Item = { kind: 'tell', name, input };
      if (moved.length === 0) post(peer, item);
      else peer.port.postMessage([item], moved);
    },
    /** Sets a listener that is called when a worker has died. */
    onDeath(listener: (worker: number) => void) {
      deathListeners.push(listener);
    },
    /** Connects to a worker that has started. It may take the place of a worker that has died. */
    connect(worker: number, port: MessagePort) {
      const peer: Peer = { port, outgoing: [], pending: new Map(), serving: new Map() };
      peers.set(worker, peer);
      port.on('message', (items: Item[]) => {
        for (const item of items) receive(worker, peer, item);
      });
      port.once('close', () => lose(worker, peer));
    },
    close() {
      for (const { port } of peers.values()) port.close();
    },
  };
}

/**
 * The connections to the other workers of the server. Some kinds of work are done by only one worker, and the
 * others send their part of this work to it.
 */
export type Peers = ReturnType<typeof createPeers>;
