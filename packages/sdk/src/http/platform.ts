// The parts of browsers, Node and React Native that this SDK uses. Only `fetch` and timers exist
// everywhere. The types are our own, because games may compile without the types of the DOM.

interface Answer {
  /** 0 for a redirect in a browser. */
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

interface RequestInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  keepalive?: boolean;
  redirect: 'manual';
  signal: unknown;
}

interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface LockManager {
  request(
    name: string,
    options: { ifAvailable: boolean },
    callback: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

export interface Timer {
  unref?(): void;
}

interface EventSource {
  addEventListener?(type: string, listener: () => void, options: { signal: unknown }): void;
}

interface Platform extends EventSource {
  fetch(url: string, init: RequestInit): Promise<Answer>;
  setTimeout(run: () => void, delay_ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
  AbortController: new () => { abort(): void; readonly signal: { readonly aborted: boolean } };
  document?: EventSource & { readonly visibilityState: string };
  navigator?: {
    readonly onLine?: boolean;
    readonly product?: string;
    readonly locks?: LockManager;
  };
  localStorage?: WebStorage;
  indexedDB?: unknown;
  console?: { warn(text: string): void };
  process?: { readonly platform?: string };
  crypto?: { getRandomValues?(bytes: Uint8Array): Uint8Array };
}

export const platform = globalThis as unknown as Platform;

export const wait = (delay_ms: number) =>
  new Promise<void>((resolve) => platform.setTimeout(resolve, delay_ms));

/** Tells whether the device reports that it has no network. Some devices are wrong, so it is only a hint. */
export const isOffline = () => platform.navigator?.onLine === false;

const SYSTEMS: { [name: string]: string } = { win32: 'windows', darwin: 'macos' };

/** Returns the platform, with the same names in all SDKs: `web`, `windows`, `macos`, `react-native`… */
export const describePlatform = (): string => {
  const { navigator, process } = platform;
  const system = process?.platform ?? 'web';
  return navigator?.product === 'ReactNative' ? 'react-native' : (SYSTEMS[system] ?? system);
};

/** Makes random bytes, 16 by default, and writes them in hexadecimal. */
export const makeId = (length = 16): string => {
  // React Native has no `crypto` of its own, so the bytes are first filled by `Math.random`.
  const bytes = Uint8Array.from({ length }, () => Math.random() * 256);
  platform.crypto?.getRandomValues?.(bytes);
  return [...bytes].map((byte) => (byte + 256).toString(16).slice(1)).join('');
};
